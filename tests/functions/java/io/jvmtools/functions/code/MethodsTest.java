package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.code.CodeRange;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.LineNumber;
import io.jvmtools.code.MemberSignature;
import io.jvmtools.code.Methods;
import io.jvmtools.functions.Unloaded;
import io.jvmtools.internal.code.ObsoleteMethods;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What methods are, compared with what reflection knows; their code is {@link ClassFileTest}'s. */
class MethodsTest {

  /** GetClassMethods, GetMethodDeclaringClass, GetMethodModifiers, IsMethodNative and others. */
  @ParameterizedTest
  @MethodSource("classes")
  void whatReflectionKnowsIsTheSame(Class<?> type) {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SYNTHETIC_ATTRIBUTE)) {
      Methods methods = jvmti.methods();
      List<JvmMethod> found = new ArrayList<>();
      for (Executable executable : executables(type)) {
        JvmMethod method = JvmMethod.of(executable);
        assertThat(method.toReflected()).contains(executable);
        assertThat(methods.declaringClass(method)).isEqualTo(type);
        assertThat(methods.modifiers(method)).isEqualTo(executable.getModifiers());
        assertThat(methods.isNative(method))
            .isEqualTo(Modifier.isNative(executable.getModifiers()));
        assertThat(methods.isSynthetic(method)).isEqualTo(executable.isSynthetic());
        assertThat(JvmTools.isMethodSynthetic(method)).isEqualTo(executable.isSynthetic());
        assertThat(methods.isObsolete(method)).isFalse();
        assertThat(methods.signature(method))
            .isEqualTo(
                new MemberSignature(method.name(), method.signature(), method.genericSignature()));
        found.add(method);
      }
      List<JvmMethod> all = new ArrayList<>(jvmti.classes().methods(type));
      assertThat(JvmTools.getClassMethods(type)).containsExactlyInAnyOrderElementsOf(all);
      all.removeIf(method -> method.name().equals("<clinit>"));
      assertThat(all).containsExactlyInAnyOrderElementsOf(found);
    }
  }

  static Stream<Class<?>> classes() {
    Runnable lambda = () -> {};
    return Stream.of(
        String.class,
        Runnable.class,
        Thread.State.class,
        MethodsTest.class,
        Kinds.class,
        lambda.getClass(),
        int[].class,
        int.class);
  }

  private static List<Executable> executables(Class<?> type) {
    return Stream.<Executable>concat(
            Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
        .toList();
  }

  @Test
  void aStaticInitialiserIsAmongTheMethods() {
    assertThat(Thread.State.values()).as("what links the class").isNotEmpty();
    assertThat(JvmTools.getClassMethods(Thread.State.class))
        .extracting(JvmMethod::name)
        .contains("<clinit>", "<init>", "values");
  }

  @Test
  void askingDoesNotInitialiseAClass() throws NoSuchMethodException {
    Kinds.initialised = false;
    JvmMethod method = JvmMethod.of(Lazy.class.getDeclaredMethod("method"));
    assertThat(JvmTools.getMaxLocals(method)).hasValue(0);
    assertThat(Kinds.initialised).isFalse();
  }

  private static final class Lazy {
    static {
      Kinds.initialised = true;
    }

    static void method() {}
  }

  @Test
  void theGenericSignatureIsThatOfTheClassFile() throws NoSuchMethodException {
    JvmMethod of = JvmMethod.of(Optional.class.getMethod("of", Object.class));
    assertThat(of.genericSignature())
        .hasValue("<T:Ljava/lang/Object;>(TT;)Ljava/util/Optional<TT;>;");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.methods().signature(of))
          .hasToString(
              "of (Ljava/lang/Object;)Ljava/util/Optional; " + of.genericSignature().get());
    }
    assertThat(JvmMethod.of(Object.class.getMethod("hashCode")).genericSignature()).isEmpty();
  }

  @Test
  void slotsAreCounted() throws NoSuchMethodException {
    JvmMethod wide = JvmMethod.of(Kinds.class.getDeclaredMethod("wide", long.class, int.class));
    assertThat(JvmTools.getArgumentsSize(wide)).hasValue(4);
    assertThat(JvmTools.getMaxLocals(wide)).hasValue(6);
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.methods().argumentsSize(wide)).hasValue(4);
      assertThat(jvmti.methods().maxLocals(wide)).hasValue(6);
    }
  }

  /** GetMaxLocals, GetArgumentsSize, GetLineNumberTable, GetMethodLocation, GetBytecodes. */
  @Test
  void aNativeMethodHasNoCode() throws NoSuchMethodException {
    JvmMethod method = JvmMethod.of(Object.class.getMethod("hashCode"));
    assertThat(JvmTools.getMaxLocals(method)).isEmpty();
    assertThat(JvmTools.getArgumentsSize(method)).isEmpty();
    assertThat(JvmTools.getLineNumberTable(method)).isEmpty();
    assertThat(JvmTools.getMethodLocation(method)).isEmpty();
    assertThat(JvmTools.getBytecodes(method)).isEmpty();
  }

  @Test
  void anAbstractMethodHasNoCode() throws NoSuchMethodException {
    JvmMethod method = JvmMethod.of(Runnable.class.getMethod("run"));
    assertThat(JvmTools.getArgumentsSize(method)).hasValue(1);
    assertThat(JvmTools.getLineNumberTable(method)).isEmpty();
    assertThat(JvmTools.getMethodLocation(method)).isEmpty();
    assertThat(JvmTools.getBytecodes(method)).isEmpty();
  }

  @Test
  void linesAreThoseOfAStackTrace() throws NoSuchMethodException {
    StackTraceElement here = new Throwable().getStackTrace()[0];
    JvmMethod method = JvmMethod.of(MethodsTest.class.getDeclaredMethod(here.getMethodName()));
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_LINE_NUMBERS)) {
      List<LineNumber> lines = jvmti.methods().lineNumbers(method).orElseThrow();
      assertThat(lines).contains(new LineNumber(0, here.getLineNumber()));
      assertThat(lines.get(0)).hasToString("line " + here.getLineNumber() + ": 0");
      assertThat(JvmTools.getLineNumberTable(method)).hasValue(lines);
      for (LineNumber line : lines) {
        assertThat(method.lineNumber(line.location())).hasValue(line.line());
      }
      CodeRange range = jvmti.methods().codeRange(method).orElseThrow();
      assertThat(JvmTools.getMethodLocation(method)).hasValue(range);
      assertThat(lines).allMatch(line -> range.contains(line.location()));
      assertThat(range.contains(-1)).isFalse();
      assertThat(range.contains(range.end() + 1)).isFalse();
    }
  }

  @Test
  void bytecodesAreRead() throws NoSuchMethodException {
    JvmMethod method = JvmMethod.of(Kinds.class.getDeclaredMethod("wide", long.class, int.class));
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_BYTECODES)) {
      assertThat(jvmti.methods().bytecodes(method)).isEqualTo(JvmTools.getBytecodes(method));
    }
    assertThat(JvmTools.getBytecodes(method).orElseThrow().disassemble().lines())
        .containsExactly(
            "   0: lload_1",
            "   1: iload_3",
            "   2: i2l",
            "   3: ladd",
            "   4: lstore 4",
            "   6: lload 4",
            "   8: lreturn");
    byte[] bytes = JvmTools.getBytecodes(method).orElseThrow().toByteArray();
    bytes[0] = 0;
    assertThat(JvmTools.getBytecodes(method).orElseThrow().toByteArray()).isNotEqualTo(bytes);
  }

  @Test
  void aBridgeIsSynthetic() throws NoSuchMethodException {
    assertThat(JvmTools.getClassMethods(Kinds.class))
        .filteredOn(method -> method.name().equals("call"))
        .hasSize(2)
        .extracting(JvmTools::isMethodSynthetic)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void aMethodIsTheSameHoweverItIsFound() throws Exception {
    JvmMethod inStack =
        JvmTools.getStackTrace(Thread.currentThread()).stream()
            .filter(frame -> frame.className().equals(MethodsTest.class.getName()))
            .findFirst()
            .orElseThrow()
            .method();
    assertThat(JvmMethod.of(inStack.toReflected().orElseThrow())).isEqualTo(inStack);
    assertThat(JvmTools.getClassMethods(MethodsTest.class)).contains(inStack);
  }

  @Test
  void whatIsLeftOfAnUnloadedClassSaysSo() {
    JvmMethod method = Unloaded.one().method();
    assertThat(method.declaringClass()).isEmpty();
    assertThat(method.className()).isEqualTo("io.jvmtools.functions.Relay");
    assertThatThrownBy(() -> JvmTools.isMethodObsolete(method))
        .isInstanceOf(MemberUnavailableException.class)
        .hasMessageContaining("unloaded");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatThrownBy(() -> jvmti.methods().signature(method))
          .isInstanceOfSatisfying(
              JvmtiException.class, e -> assertThat(e.function()).isEqualTo("GetMethodName"));
    }
  }

  /** JDK-8313816. */
  @ParameterizedTest
  @CsvSource({
    "17.0.10, true",
    "17.0.11, false",
    "18.0.2, true",
    "20.0.2, true",
    "21, true",
    "21.0.2, true",
    "21.0.3, false",
    "22, false",
    "25.0.3, false",
    "26-ea, false"
  })
  void whereTheIdOfAnObsoleteMethodMayDangleIsKnown(String version, boolean dangles) {
    assertThat(ObsoleteMethods.dangle(Runtime.Version.parse(version))).isEqualTo(dangles);
  }

  /** One method of each kind. */
  private static final class Kinds implements Callable<String>, IntBinaryOperator {

    private static boolean initialised;

    long wide(long number, int other) {
      long sum = number + other;
      return sum;
    }

    @Override
    public String call() {
      return "called";
    }

    @Override
    public int applyAsInt(int left, int right) {
      return initialised ? left : right;
    }
  }
}
