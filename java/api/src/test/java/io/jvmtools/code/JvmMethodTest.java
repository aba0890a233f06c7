package io.jvmtools.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.code.MethodFacts;
import io.jvmtools.stack.FabricatedStack;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmMethodTest {

  private static final int[] LINES = {0, 10, 4, 11, 9, 12};

  @Test
  void findsItselfByReflectionAmongOverloads() throws Exception {
    assertThat(method("add", "(I)V").toReflected())
        .contains(Sample.class.getDeclaredMethod("add", int.class));
    assertThat(method("add", "([Ljava/lang/String;J)V").toReflected())
        .contains(Sample.class.getDeclaredMethod("add", String[].class, long.class));
    assertThat(method("<init>", "(Ljava/util/List;)V").toReflected())
        .contains(Sample.class.getDeclaredConstructor(List.class));
  }

  @Test
  void hasNoReflectedFormWhereReflectionHasNone() {
    assertThat(method("<clinit>", "()V").toReflected()).isEmpty();
    assertThat(method("add", "(S)V").toReflected()).isEmpty();
    assertThat(JvmMethod.unloaded(7).toReflected()).isEmpty();
  }

  @Test
  void printsClassNameAndParameterTypes() {
    assertThat(method("add", "([Ljava/lang/String;J)V"))
        .hasToString(Sample.class.getName() + ".add(java.lang.String[], long)");
  }

  @Test
  void ofAnUnloadedClassSaysSo() {
    JvmMethod unloaded = JvmMethod.unloaded(7);

    assertThat(unloaded.className()).isEqualTo("<unloaded>");
    assertThat(unloaded.name()).isEqualTo("<unknown>");
    assertThat(unloaded.declaringClass()).isEmpty();
    assertThat(unloaded.lineNumber(0)).isEmpty();
    assertThat(unloaded.sourceFile()).isEmpty();
    assertThat(FabricatedStack.frame(unloaded, 3))
        .hasToString("<unloaded>.<unknown>(Unknown Source)");
  }

  @Test
  void comparesByMethodAndNotByInstance() {
    assertThat(method("add", "(I)V"))
        .isEqualTo(method("add", "(I)V"))
        .hasSameHashCodeAs(method("add", "(I)V"))
        .isNotEqualTo(JvmMethod.unloaded(1));
  }

  @Test
  void aFrameKnowsItsLine() {
    StackFrame frame = FabricatedStack.frame(method("add", "(I)V"), 5);

    assertThat(frame.line()).hasValue(11);
    assertThat(frame.sourceFile()).contains("Sample.java");
    assertThat(frame).hasToString(Sample.class.getName() + ".add(Sample.java:11)");
    assertThat(frame).isEqualTo(FabricatedStack.frame(method("add", "(I)V"), 5));
    assertThat(frame).isNotEqualTo(FabricatedStack.frame(method("add", "(I)V"), 6));
  }

  @Test
  void aFrameOfTheJdkPrintsLikeTheJvmPrintsIt() {
    MethodFacts facts =
        new MethodFacts(
            9,
            Object.class,
            "wait",
            "(J)V",
            null,
            Modifier.NATIVE,
            true,
            false,
            "Object.java",
            new int[0]);
    StackFrame frame = FabricatedStack.frame(new JvmMethod(facts), -1);

    assertThat(frame).hasToString("java.base/java.lang.Object.wait(Native Method)");
    assertThat(frame.module()).contains("java.base");
    assertThat(frame.isNative()).isTrue();
    assertThat(frame.line()).isEmpty();
  }

  @Test
  void aTraceIsAListThatPrintsLikeAnException() {
    JvmMethod method = method("add", "(I)V");
    StackTrace trace = FabricatedStack.of(new JvmMethod[] {method, method}, new long[] {0, 9});
    String name = Sample.class.getName();

    assertThat(trace.toString().lines())
        .containsExactly(
            "    at " + name + ".add(Sample.java:10)", "    at " + name + ".add(Sample.java:12)");
    assertThat(trace.top()).contains(FabricatedStack.frame(method, 0));
    assertThat(trace).hasSize(2).isEqualTo(List.copyOf(trace));
    assertThat(trace.toStackTraceElements()[1].getLineNumber()).isEqualTo(12);
    assertThat(FabricatedStack.of(new JvmMethod[0], new long[0])).isEmpty();
    assertThat(FabricatedStack.of(new JvmMethod[0], new long[0]).toString()).isEmpty();
  }

  private static JvmMethod method(String name, String signature) {
    return new JvmMethod(
        new MethodFacts(
            1, Sample.class, name, signature, null, 0, false, false, "Sample.java", LINES));
  }

  @SuppressWarnings("unused") // Found by reflection.
  private static final class Sample {

    private static final Executable[] STATIC_INITIALISER = new Executable[0];

    Sample(List<String> names) {}

    void add(int item) {}

    void add(String[] names, long count) {}
  }
}
