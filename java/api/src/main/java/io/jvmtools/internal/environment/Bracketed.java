package io.jvmtools.internal.environment;

import org.jspecify.annotations.Nullable;

/**
 * An action that native code runs between a beginning and an end of its own, and what became of it.
 *
 * @param <T> what it returns
 */
public final class Bracketed<T extends @Nullable Object> implements Runnable {

  /**
   * The action.
   *
   * @param <T> what it returns
   */
  public interface Action<T extends @Nullable Object> {

    /**
     * Acts.
     *
     * @return the result
     */
    T run();
  }

  private final Action<T> action;
  private @Nullable T result;
  private @Nullable Throwable failure;

  /**
   * What native code may run, once.
   *
   * @param action the action
   */
  public Bracketed(Action<T> action) {
    this.action = action;
  }

  @Override
  public void run() {
    try {
      result = action.run();
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  /**
   * What the action has thrown.
   *
   * @return a failure, or null
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /**
   * What the action has returned; throws what it has thrown.
   *
   * @return its result
   */
  public T outcome() {
    if (failure == null) {
      return result;
    }
    throw Bracketed.<RuntimeException>asItIs(failure);
  }

  /** Other languages, and a thread that stops this one, throw what Java would have declared. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException asItIs(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
