package io.jvmtools.functions.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Traces;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Frames of code that no compiler wrote into a file. */
class GeneratedCodeTest {

  @Test
  void framesOfALambdaAreItsMethodAndAHiddenClass() {
    Runnable[] body = new Runnable[1];
    try (Deep worker =
        Deep.platform(
            1,
            next -> {
              body[0] = () -> next.run();
              return body[0];
            })) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      List<StackFrame> hidden = trace.stream().filter(Traces::isOfHiddenClass).toList();
      assertThat(hidden).hasSize(1);
      StackFrame frame = hidden.get(0);
      assertThat(frame.className())
          .isEqualTo(body[0].getClass().getName())
          .startsWith(GeneratedCodeTest.class.getName() + "$$Lambda");
      assertThat(frame.methodName()).isEqualTo("run");
      assertThat(frame.method().declaringClass()).contains(body[0].getClass());
      assertThat(frame.sourceFile()).isEmpty();
      assertThat(frame.line()).isEmpty();
      assertThat(frame.toString()).endsWith(".run(Unknown Source)");
      StackFrame caller = trace.get(trace.indexOf(frame) - 1);
      assertThat(caller.methodName())
          .startsWith("lambda$framesOfALambdaAreItsMethodAndAHiddenClass$");
      assertThat(caller.line()).isPresent();
    }
  }

  @Test
  void frameOfAHiddenClassHasItsNameAndLine() throws IllegalAccessException {
    byte[] file = ClassFiles.of(Relay.class);
    Class<?> hidden =
        MethodHandles.privateLookupIn(Relay.class, MethodHandles.lookup())
            .defineHiddenClass(file, true)
            .lookupClass();
    try (Deep worker = Deep.platform(0, next -> ClassFiles.instance(hidden, next))) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      StackFrame frame = only(trace, hidden, "run");
      assertThat(frame.className()).isEqualTo(hidden.getName()).contains("Relay/0x");
      assertThat(frame.sourceFile()).contains("Relay.java");
      assertThat(frame.line()).isPresent();
      assertThat(frame.method().toReflected()).contains(method(hidden, "run"));
    }
  }

  @Test
  void frameWithoutDebugInformationHasNeitherLineNorFile() {
    byte[] file = ClassFiles.withoutDebugInformation(ClassFiles.of(Relay.class));
    ClassFiles.Loader loader = new ClassFiles.Loader(null);
    Runnable[] relay = new Runnable[1];
    try (Deep worker = Deep.platform(0, next -> relay[0] = loader.relay(file, next))) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      StackFrame frame = only(trace, relay[0].getClass(), "run");
      assertThat(frame.className()).isEqualTo(Relay.class.getName());
      assertThat(frame.line()).isEmpty();
      assertThat(frame.sourceFile()).isEmpty();
      assertThat(frame.location()).isNotNegative();
      assertThat(frame).hasToString("io.jvmtools.functions.Relay.run(Unknown Source)");
    }
  }

  @Test
  void frameWithAFileAndNoLinesHasNoLine() {
    byte[] file = ClassFiles.renamed(ClassFiles.of(Relay.class), Map.of("LineNumberTable", "No"));
    ClassFiles.Loader loader = new ClassFiles.Loader(null);
    try (Deep worker = Deep.platform(0, next -> loader.relay(file, next))) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      assertThat(trace.toString()).contains("io.jvmtools.functions.Relay.run(Relay.java)");
    }
  }

  @Test
  void frameOfANamedLoaderPrintsItsName() {
    ClassFiles.Loader loader = new ClassFiles.Loader("acme");
    Runnable[] relay = new Runnable[1];
    try (Deep worker =
        Deep.platform(0, next -> relay[0] = loader.relay(ClassFiles.of(Relay.class), next))) {
      StackFrame frame = only(JvmTools.getStackTrace(worker.thread()), relay[0].getClass(), "run");
      assertThat(frame.toString()).startsWith("acme//io.jvmtools.functions.Relay.run(Relay.java:");
      assertThat(frame.module()).isEmpty();
    }
  }

  @Test
  void namesWithNulAndSupplementaryCharactersSurvive() {
    String odd = "\0r\ud83d\ude00n\0";
    byte[] file =
        ClassFiles.renamed(
            ClassFiles.of(Relay.class),
            Map.of("Relay.java", odd, "pass", odd, "io/jvmtools/functions/Relay", "acme/" + odd));
    ClassFiles.Loader loader = new ClassFiles.Loader(odd);
    Runnable[] relay = new Runnable[1];
    try (Deep worker = Deep.platform(0, next -> relay[0] = loader.relay(file, next))) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      StackFrame frame = only(trace, relay[0].getClass(), odd);
      assertThat(frame.className()).isEqualTo("acme." + odd);
      assertThat(frame.methodName()).isEqualTo(odd);
      assertThat(frame.sourceFile()).contains(odd);
      assertThat(frame.toString()).startsWith(odd + "//acme." + odd + "." + odd + "(" + odd + ":");
    }
  }

  @Test
  void frameOfAProxyIsThatOfItsClass() {
    Runnable[] proxy = new Runnable[1];
    try (Deep worker =
        Deep.platform(
            0,
            next -> {
              proxy[0] =
                  (Runnable)
                      Proxy.newProxyInstance(
                          GeneratedCodeTest.class.getClassLoader(),
                          new Class<?>[] {Runnable.class},
                          (self, method, args) -> method.invoke(next, args));
              return proxy[0];
            })) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      assertThat(only(trace, proxy[0].getClass(), "run").methodName()).isEqualTo("run");
    }
  }

  @Test
  void constructorsAndStaticInitialisersAreFrames() {
    try (Deep worker = Deep.platform(0, next -> () -> Initialised.runWith(next))) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      JvmMethod initialiser = Traces.frames(trace, "<clinit>").get(0).method();
      assertThat(initialiser.isStatic()).isTrue();
      assertThat(initialiser.isConstructor()).isFalse();
      assertThat(initialiser.signature()).isEqualTo("()V");
      assertThat(initialiser.toReflected()).isEmpty();
      JvmMethod constructor = Traces.frames(trace, "<init>").get(0).method();
      assertThat(constructor.isConstructor()).isTrue();
      assertThat(constructor.isStatic()).isFalse();
      assertThat(constructor.toReflected())
          .contains(Initialised.Inner.class.getDeclaredConstructors()[0]);
      assertThat(constructor)
          .hasToString(Initialised.Inner.class.getName() + ".<init>(java.lang.Runnable, int[][])");
    }
  }

  @Test
  void methodIsTheOneOfReflection() throws ReflectiveOperationException {
    try (Deep worker = Deep.platform(3, Relay::new)) {
      for (StackFrame frame : JvmTools.getStackTrace(worker.thread())) {
        if (Traces.isOfHiddenClass(frame)) {
          continue;
        }
        JvmMethod method = frame.method();
        Method reflected = (Method) method.toReflected().orElseThrow();
        assertThat(reflected.getName()).isEqualTo(method.name());
        assertThat(reflected.getModifiers()).isEqualTo(method.modifiers());
        assertThat(reflected.getDeclaringClass()).isEqualTo(method.declaringClass().orElseThrow());
        assertThat(Modifier.isNative(reflected.getModifiers())).isEqualTo(method.isNative());
      }
      JvmMethod relay =
          JvmTools.getStackTrace(worker.thread()).stream()
              .map(StackFrame::method)
              .filter(m -> m.toString().equals("io.jvmtools.functions.Relay.run()"))
              .findFirst()
              .orElseThrow();
      assertThat(relay.toReflected()).contains(Relay.class.getMethod("run"));
      assertThat(relay.module()).isEmpty();
      assertThat(relay.sourceFile()).contains("Relay.java");
    }
  }

  private static StackFrame only(StackTrace trace, Class<?> type, String method) {
    List<StackFrame> found =
        Traces.frames(trace, method).stream()
            .filter(frame -> frame.method().declaringClass().orElseThrow() == type)
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Method method(Class<?> type, String name) {
    try {
      return type.getMethod(name);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs its argument inside a constructor inside its static initialiser. */
  private static final class Initialised {

    private static final ThreadLocal<Runnable> BODY = new ThreadLocal<>();

    static void runWith(Runnable body) {
      BODY.set(body);
      Lazy.touch();
    }

    private static final class Lazy {
      static {
        new Inner(BODY.get(), new int[0][]);
      }

      static void touch() {}
    }

    private static final class Inner {
      private Inner(Runnable body, int[][] ignored) {
        body.run();
      }
    }
  }
}
