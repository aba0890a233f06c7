package io.jvmtools.oracle.asked;

/**
 * Who observes: it answers each function with text.
 *
 * <p>An answer is the value in a form that all observers share, or the name of the error without
 * its prefix; {@code NONE} from functions that answer no value. Threads, groups, loaders and
 * monitors are called as {@link Names} calls them, sorted where the VM promises no order. A frame
 * is {@code class.method:location}, the innermost first.
 */
public interface Observer extends Functions {

  /** What a function throws to which the observer has no answer. */
  final class NoAnswer extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;
  }

  /** Opens observers, each with an environment of its own. */
  @FunctionalInterface
  interface Source {
    /** An observer whose environment holds these capabilities, as the specification spells them. */
    Observer open(String... capabilities);
  }

  /** The name of the error that an exception stands for. */
  default String failure(RuntimeException failure) {
    throw failure;
  }
}
