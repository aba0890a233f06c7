package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.RedefinitionException;
import io.jvmtools.RedefinitionException.Reason;
import io.jvmtools.StalledException;
import io.jvmtools.code.Constant;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Redefinable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RedefineClasses. */
class RedefineTest {

  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration MOMENT = Duration.ofMillis(20);

  @Test
  void methodsDoSomethingElseFromTheirNextCallOn() {
    Class<?> type = Changeable.type();
    Object before = Changeable.make(type);
    assertThat(Changeable.answer(before)).isEqualTo("1");
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_REDEFINE_CLASSES)) {
      jvmti.classes().redefine(type, Variant.OTHER_ANSWER.file());
      assertThat(Changeable.answer(before)).isEqualTo("2");
      assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
    }
    // Nothing is taken back when the environment is closed.
    assertThat(Changeable.answer(before)).isEqualTo("2");
    JvmTools.redefineClass(type, Variant.SAME.file());
    assertThat(Changeable.answer(before)).isEqualTo("1");
  }

  @Test
  void linesAreThoseOfTheNewFileAndOfWhatWasSeenBeforeThoseOfTheOldOne() {
    Class<?> type = Changeable.type();
    Changeable.make(type);
    JvmMethod before = answer(type);
    assertThat(before.lineNumber(0)).hasValue(10);
    JvmTools.redefineClass(type, Variant.OTHER_LINES.file());
    assertThat(answer(type).lineNumber(0)).hasValue(20);
    assertThat(before.lineNumber(0)).hasValue(10);
    JvmTools.retransformClasses(type);
    assertThat(answer(type)).isEqualTo(before);
    assertThat(answer(type).lineNumber(0)).hasValue(20);
  }

  private static JvmMethod answer(Class<?> type) {
    return JvmTools.getClassMethods(type).stream()
        .filter(method -> method.name().equals("answer"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anUnlinkedClassIsRedefinedToo() {
    Class<?> type = Changeable.type();
    JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file());
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
  }

  @Test
  void severalAreRedefinedAtOnceOrNoneOfThem() {
    Class<?> one = Changeable.type();
    Class<?> other = Changeable.type();
    Map<Class<?>, byte[]> files = new LinkedHashMap<>();
    files.put(one, Variant.OTHER_ANSWER.file());
    files.put(other, Variant.METHOD_ADDED.file());
    assertThatThrownBy(() -> JvmTools.redefineClasses(files))
        .isInstanceOf(RedefinitionException.class);
    assertThat(Changeable.answer(Changeable.make(one))).isEqualTo("1");
    files.put(other, null);
    assertThatThrownBy(() -> JvmTools.redefineClasses(files))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("classDefinitions[" + other.getTypeName() + "]");
    files.put(other, Variant.THIRD_ANSWER.file());
    JvmTools.redefineClasses(files);
    assertThat(Changeable.answer(Changeable.make(one))).isEqualTo("2");
    assertThat(Changeable.answer(Changeable.make(other))).isEqualTo("3");
    JvmTools.redefineClasses(Map.of());
  }

  /** What the JVM says, and what was found to it. */
  @ParameterizedTest
  @CsvSource({
    "METHOD_ADDED, UNSUPPORTED_REDEFINITION_METHOD_ADDED,"
        + " Changeable: more()Ljava/lang/Object;",
    "METHOD_DELETED, UNSUPPORTED_REDEFINITION_METHOD_DELETED,"
        + " Changeable: other()Ljava/lang/Object;",
    "METHOD_STATIC, UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,"
        + " Changeable: answer()Ljava/lang/Object;",
    "FIELD_ADDED, UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED, Changeable: more J",
    "OTHER_SUPERCLASS, UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,"
        + " Changeable: extends java/util/BitSet",
    "OTHER_INTERFACES, UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,"
        + " Changeable: implements [java/lang/Cloneable]",
    "FINAL, UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED, Changeable",
    "NEST, UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED, Changeable",
    "OTHER_NAME, NAMES_DONT_MATCH, Changeable: Other",
    "BROKEN_CODE, FAILS_VERIFICATION, Changeable",
    "CIRCULAR, CIRCULAR_CLASS_DEFINITION, Changeable",
    "NO_CLASS_FILE, INVALID_CLASS_FORMAT, Changeable",
    "EMPTY, INVALID_CLASS_FORMAT, Changeable",
    "NEWER, UNSUPPORTED_VERSION, Changeable: version 32767.0 (Java 32723)"
  })
  void aRefusalSaysWhatTheJvmObjectsTo(Variant variant, Reason reason, String objection) {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    RedefinitionException refusal =
        catchThrowableOfType(
            RedefinitionException.class, () -> JvmTools.redefineClass(type, variant.file()));
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.error().name()).isEqualTo("JVMTI_ERROR_" + reason);
    assertThat(refusal.objections()).containsExactly(objection);
    assertThat(refusal).hasMessageStartingWith("RedefineClasses: ").hasMessageEndingWith(objection);
    assertThat(Changeable.answer(object)).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(classes = {int.class, void.class, int[].class, Object[][].class})
  void whatIsNoClassOfItsOwnIsNotRedefined(Class<?> type) {
    assertUnmodifiable(type);
  }

  @Test
  void hiddenClassesAreNotRedefined() {
    Runnable lambda = () -> {};
    assertUnmodifiable(lambda.getClass());
  }

  private static void assertUnmodifiable(Class<?> type) {
    RedefinitionException refusal =
        catchThrowableOfType(
            RedefinitionException.class, () -> JvmTools.redefineClass(type, Variant.SAME.file()));
    assertThat(refusal.reason()).isEqualTo(Reason.UNMODIFIABLE_CLASS);
    assertThat(refusal.objections()).containsExactly(type.getName());
  }

  @Test
  void constantsOfTheNewFileStandBehindTheOldOnes() {
    Class<?> type = Changeable.type();
    List<Constant> before = JvmTools.getConstantPool(type).orElseThrow().constants();
    JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file());
    List<Constant> after = JvmTools.getConstantPool(type).orElseThrow().constants();
    assertThat(after).extracting(Object::toString).contains("String 2");
    assertThat(before).extracting(Object::toString).doesNotContain("String 2");
  }

  @Test
  void manyThreadsRedefineOneClass() throws Exception {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    Variant[] variants = {Variant.OTHER_ANSWER, Variant.THIRD_ANSWER};
    AtOnce.run(
        4,
        thread -> {
          for (int i = 0; i < 25; i++) {
            JvmTools.redefineClass(type, variants[(thread + i) % 2].file());
            assertThat(Changeable.answer(object)).isIn("2", "3");
          }
        });
  }

  /** The verifier asks the class's loader, on the thread that redefines. */
  @Test
  void whoStandsInTheMiddleKeepsOthersFromHisClassAloneAndNotForEver() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Class<?> type =
        Changeable.type(
            asked -> {
              if (asked.equals("Slow")) {
                inside.countDown();
                awaitQuietly(over);
              }
            });
    Object object = Changeable.make(type);
    Thread slow =
        new Thread(
            () ->
                assertThatThrownBy(() -> JvmTools.redefineClass(type, Changeable.naming("Slow")))
                    .isInstanceOf(RedefinitionException.class));
    slow.start();
    Thread others = new Thread(RedefineTest::changeAnotherClass);
    try {
      inside.await();
      others.start();
      assertThatThrownBy(() -> JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file()))
          .isInstanceOf(StalledException.class)
          .hasMessageContaining("changing one of these classes");
      assertThat(others.isAlive()).as("not as long as others change something").isTrue();
      Class<?> other = Changeable.type();
      JvmTools.redefineClass(other, Variant.OTHER_ANSWER.file());
      assertThat(Changeable.answer(Changeable.make(other))).isEqualTo("2");
      assertThat(Changeable.answer(object)).isEqualTo("1");
    } finally {
      over.countDown();
      others.interrupt();
      others.join();
      slow.join();
    }
    JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file());
    assertThat(Changeable.answer(object)).isEqualTo("2");
  }

  /** Until it is interrupted, but not for ever. */
  private static void changeAnotherClass() {
    long start = System.nanoTime();
    while (!Thread.interrupted() && System.nanoTime() - start < LONG.toNanos()) {
      JvmTools.redefineClass(Redefinable.Plain.class, Redefinable.file());
      LockSupport.parkNanos(MOMENT.toNanos());
    }
  }

  /** A loader that is asked in the middle may change the same class. */
  @Test
  void oneWhoIsInTheMiddleDoesNotWaitForHimself() {
    Class<?>[] type = new Class<?>[1];
    type[0] =
        Changeable.type(
            asked -> {
              if (asked.equals("Nested")) {
                JvmTools.redefineClass(type[0], Variant.THIRD_ANSWER.file());
              }
            });
    Object object = Changeable.make(type[0]);
    assertThatThrownBy(() -> JvmTools.redefineClass(type[0], Changeable.naming("Nested")))
        .isInstanceOf(RedefinitionException.class)
        .hasMessageContaining("FAILS_VERIFICATION");
    assertThat(Changeable.answer(object)).isEqualTo("3");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
