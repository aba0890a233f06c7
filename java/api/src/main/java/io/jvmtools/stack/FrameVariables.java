package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiError;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.LocalFacts;
import io.jvmtools.internal.stack.LocalNatives;
import io.jvmtools.internal.stack.NewValue;
import io.jvmtools.internal.stack.SlotValues;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables of frames by name.
 *
 * <p>As in {@link Stacks} there are frames of ours on the current thread: the native, a private
 * method of this class, one that is not, and the public method that called it.
 */
final class FrameVariables {

  private static final int OWN = 4;

  /** What a setter asks for, if it asks itself. */
  private static final String FUNCTION = "GetLocalObject";

  private static final int THREAD_NOT_ALIVE = 15;
  private static final int NO_MORE_FRAMES = 31;

  private static final Maker<long[], JvmMethod[]> METHODS = Makers.of(JvmMethod.class);

  private FrameVariables() {}

  static List<LocalVariable> at(Environment environment, Thread thread, int depth) {
    ThreadReferences.nullIfCurrent(thread);
    requireDepth(depth);
    return environment.keep(list(facts(environment, thread, depth)));
  }

  static List<LocalVariable> of(Environment environment, StackFrame frame) {
    Thread thread = threadOf(frame);
    LocalFacts facts = facts(environment, thread, frame.depth());
    requireSame(frame, thread, facts);
    return environment.keep(list(facts));
  }

  static void set(Environment environment, StackFrame frame, String name, @Nullable Object value) {
    Thread thread = threadOf(frame);
    requireNonNull(name, "name");
    LocalFacts facts = facts(environment, thread, frame.depth());
    requireSame(frame, thread, facts);
    int variable = Arrays.asList(facts.names()).indexOf(name);
    if (variable < 0) {
      throw new IllegalArgumentException(
          "name is that of no variable in scope at %s: %s, of %s"
              .formatted(frame, name, Arrays.toString(facts.names())));
    }
    String type = facts.signatures()[variable];
    write(
        environment,
        thread,
        frame.depth(),
        facts,
        variable,
        NewValue.of("object", "a variable", type, value));
    environment.keep();
  }

  /** Refuses a depth below which there is none. */
  static int requireDepth(int depth) {
    if (depth < 0) {
      throw new IllegalArgumentException("depth must not be negative: " + depth);
    }
    return depth;
  }

  /** A depth as natives take it, past so many frames of ours if the thread is the current one. */
  static int depth(Environment environment, Thread thread, int depth, int own) {
    requireDepth(depth);
    return thread == Thread.currentThread()
        ? Math.min(depth, Stacks.ALL) + own + environment.framesAbove()
        : depth;
  }

  private static LocalFacts facts(Environment environment, Thread thread, int depth) {
    return (LocalFacts)
        LocalNatives.variables(
            environment.handle(),
            ThreadReferences.nullIfCurrent(thread),
            depth(environment, thread, depth, OWN));
  }

  /** In the very frame whose variables those are. */
  private static void write(
      Environment environment,
      Thread thread,
      int depth,
      LocalFacts facts,
      int variable,
      NewValue value) {
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    int at = depth(environment, thread, depth, OWN);
    int slot = facts.slots()[variable];
    long method = facts.methodId();
    long place = facts.location();
    switch (value.type()) {
      case 'J' -> LocalNatives.setLocalLong(env, method, place, other, at, slot, value.integer());
      case 'F' ->
          LocalNatives.setLocalFloat(env, method, place, other, at, slot, (float) value.real());
      case 'D' -> LocalNatives.setLocalDouble(env, method, place, other, at, slot, value.real());
      case 'L', '[' ->
          LocalNatives.setLocalObject(env, method, place, other, at, slot, value.object());
      default ->
          LocalNatives.setLocalInt(env, method, place, other, at, slot, (int) value.integer());
    }
  }

  private static List<LocalVariable> list(LocalFacts facts) {
    List<LocalVariable> variables = new ArrayList<>();
    for (int i = 0; i < facts.names().length; i++) {
      String type = facts.signatures()[i];
      int code = facts.codes()[i];
      variables.add(
          new LocalVariable(
              facts.names()[i],
              type,
              facts.slots()[i],
              code == 0 ? SlotValues.boxed(type, facts.bits()[i], facts.objects()[i]) : null,
              code == 0 ? Optional.empty() : Optional.of(JvmtiError.of(code))));
    }
    return Collections.unmodifiableList(variables);
  }

  private static Thread threadOf(StackFrame frame) {
    if (!requireNonNull(frame, "frame").isOfAThread()) {
      throw new IllegalArgumentException("frame is that of a thread dump, and of no thread");
    }
    return frame
        .thread()
        .orElseThrow(
            () ->
                new ThreadNotAliveException(
                    FUNCTION, JvmtiError.of(THREAD_NOT_ALIVE), "the thread has ended"));
  }

  /** Where the current thread asks, it has gone on in its innermost frame since. */
  private static void requireSame(StackFrame frame, Thread thread, LocalFacts facts) {
    JvmMethod method = METHODS.make(new long[] {facts.methodId()})[0];
    boolean goesOn = frame.depth() == 0 && thread == Thread.currentThread();
    if (!method.equals(frame.method()) || !(goesOn || facts.location() == frame.location())) {
      throw new FrameUnavailableException(
          FUNCTION,
          JvmtiError.of(NO_MORE_FRAMES),
          "the thread has gone on: at depth %d it is at %s by now, and was at %s"
              .formatted(frame.depth(), method.toStackTraceElement(facts.location()), frame));
    }
  }
}
