package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.Installation;
import java.util.Arrays;
import java.util.List;

/** Comparison of our traces with Java's own. */
public final class Traces {

  /** What some JDKs limit their own traces to: {@code -XX:MaxJavaStackTraceDepth}. */
  private static final int JAVA_SHOWS = 1024;

  private Traces() {}

  /** Asserts that a trace is the one that the thread itself shows. */
  public static void assertShownBy(Thread thread, StackTrace trace) {
    assertSame(visible(trace), thread.getStackTrace());
  }

  /** Asserts that they are the same, as far as Java's goes. */
  public static void assertSame(List<StackFrame> trace, StackTraceElement[] expected) {
    if (expected.length == JAVA_SHOWS) {
      assertThat(trace).hasSizeGreaterThanOrEqualTo(JAVA_SHOWS);
    } else {
      assertThat(trace).hasSize(expected.length);
    }
    for (int depth = 0; depth < expected.length; depth++) {
      StackFrame frame = trace.get(depth);
      StackTraceElement element = expected[depth];
      assertThat(frame.className()).isEqualTo(element.getClassName());
      assertThat(frame.methodName()).isEqualTo(element.getMethodName());
      assertThat(frame.sourceFile().orElse(null)).isEqualTo(element.getFileName());
      assertThat(frame.line().orElse(frame.isNative() ? -2 : -1))
          .isEqualTo(element.getLineNumber());
      assertThat(frame.module().orElse(null)).isEqualTo(element.getModuleName());
      assertThat(frame.isNative()).isEqualTo(element.isNativeMethod());
      // Java's own element prints differently, depending on the JDK and on who asked for it.
      assertThat(frame.toStackTraceElement().getClassName()).isEqualTo(element.getClassName());
      assertThat(frame.toStackTraceElement().getLineNumber()).isEqualTo(element.getLineNumber());
      assertThat(frame).hasToString(frame.toStackTraceElement().toString());
    }
  }

  /** The frames that {@code Thread.getStackTrace} shows: since JDK 21 no hidden ones. */
  private static List<StackFrame> visible(List<StackFrame> trace) {
    boolean all = Installation.feature() < 21;
    return trace.stream().filter(frame -> all || !isHidden(frame)).toList();
  }

  /** Whether the JDK hides the frame: that of a hidden class, or of a method marked for it. */
  private static boolean isHidden(StackFrame frame) {
    return isOfHiddenClass(frame)
        || frame.method().toReflected().stream()
            .flatMap(method -> Arrays.stream(method.getAnnotations()))
            .anyMatch(mark -> mark.annotationType().getName().endsWith(".annotation.Hidden"));
  }

  public static boolean isOfHiddenClass(StackFrame frame) {
    return frame.method().declaringClass().orElseThrow().isHidden();
  }

  /** The frames of a method. */
  public static List<StackFrame> frames(List<StackFrame> trace, String method) {
    return trace.stream().filter(frame -> frame.methodName().equals(method)).toList();
  }

  /** The trace of one of several threads. */
  public static StackTrace of(Thread thread, List<ThreadStack> stacks) {
    List<ThreadStack> found = stacks.stream().filter(stack -> stack.thread() == thread).toList();
    assertThat(found).hasSize(1);
    return found.get(0).trace();
  }

  /** The lines of a text. */
  public static List<String> lines(Object printed) {
    return Arrays.asList(printed.toString().split(System.lineSeparator()));
  }
}
