package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.RedefinitionException;
import io.jvmtools.RedefinitionException.Reason;
import io.jvmtools.TransformationException;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.AtOnce;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RetransformClasses. With another agent beside it: {@link SecondAgentTest}. */
class RetransformTest {

  /** Answers one class file, and remembers what it was asked. */
  private static final class To implements ClassFileTransformer {

    private final byte[] file;
    private final List<Class<?>> types = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private byte[] given;

    To(Variant variant) {
      this(variant.file());
    }

    To(byte[] file) {
      this.file = file;
    }

    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
      assertThat(loader).isSameAs(type.getClassLoader());
      assertThat(domain).isEqualTo(type.getProtectionDomain());
      types.add(type);
      names.add(name);
      given = bytes.clone();
      // It may do with them what it likes.
      bytes[0] = 0;
      return file;
    }
  }

  private static final ClassFileTransformer NOTHING = new ClassFileTransformer() {};

  @Test
  void aTransformerChangesAClassUntilItIsMadeAnew() {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    To transformer = new To(Variant.OTHER_ANSWER);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_RETRANSFORM_CLASSES)) {
      assertThat(jvmti.classes().retransform(transformer, type, type)).containsExactly(type);
      assertThat(Changeable.answer(object)).isEqualTo("2");
      assertThat(transformer.types).containsExactly(type);
      assertThat(transformer.names).containsExactly(Changeable.NAME);
      assertThat(transformer.given).startsWith(0xca, 0xfe, 0xba, 0xbe);
      jvmti.classes().retransform(type);
      assertThat(Changeable.answer(object)).isEqualTo("1");
    }
    assertThat(JvmTools.retransformClasses(new To(Variant.THIRD_ANSWER), type))
        .containsExactly(type);
    assertThat(Changeable.answer(object)).isEqualTo("3");
    JvmTools.retransformClasses(type);
    assertThat(Changeable.answer(object)).isEqualTo("1");
  }

  @Test
  void itBeginsWithWhatTheClassWasRedefinedWith() {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file());
    JvmTools.retransformClasses(new To(Variant.THIRD_ANSWER), type);
    assertThat(Changeable.answer(object)).isEqualTo("3");
    JvmTools.retransformClasses(type);
    assertThat(Changeable.answer(object)).isEqualTo("2");
  }

  @Test
  void nothingIsChangedOfWhichTheTransformerAnswersNothing() {
    Class<?> one = Changeable.type();
    Class<?> other = Changeable.type();
    Object object = Changeable.make(one);
    JvmTools.retransformClasses(new To(Variant.THIRD_ANSWER), one);
    assertThat(JvmTools.retransformClasses(NOTHING, one, other)).isEmpty();
    assertThat(Changeable.answer(object)).as("as it was").isEqualTo("3");
    assertThat(JvmTools.retransformClasses(NOTHING)).isEmpty();
    JvmTools.retransformClasses();
    ClassFileTransformer some =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> type, ProtectionDomain d, byte[] bytes) {
            return type == other ? Variant.OTHER_ANSWER.file() : null;
          }
        };
    assertThat(JvmTools.retransformClasses(some, one, other)).containsExactly(other);
    assertThat(Changeable.answer(object)).isEqualTo("3");
    assertThat(Changeable.answer(Changeable.make(other))).isEqualTo("2");
  }

  @Test
  void aTransformerThatThrowsLeavesAllClassesAsTheyWere() {
    Class<?> one = Changeable.type();
    Class<?> other = Changeable.type();
    JvmTools.retransformClasses(new To(Variant.THIRD_ANSWER), one);
    Error thrown = new StackOverflowError("thrown by a transformer");
    ClassFileTransformer failing =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> type, ProtectionDomain d, byte[] bytes) {
            if (type == other) {
              throw thrown;
            }
            return Variant.OTHER_ANSWER.file();
          }
        };
    assertThatThrownBy(() -> JvmTools.retransformClasses(failing, one, other))
        .isInstanceOf(TransformationException.class)
        .hasMessageContaining(Changeable.NAME)
        .hasCause(thrown);
    assertThat(Changeable.answer(Changeable.make(one))).isEqualTo("3");
    assertThat(Changeable.answer(Changeable.make(other))).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"METHOD_ADDED", "FINAL", "BROKEN_CODE", "NO_CLASS_FILE", "EMPTY"})
  void aRefusalLeavesAllClassesAsTheyWere(Variant variant) {
    Class<?> type = Changeable.type();
    JvmTools.retransformClasses(new To(Variant.THIRD_ANSWER), type);
    RedefinitionException refusal =
        catchThrowableOfType(
            RedefinitionException.class, () -> JvmTools.retransformClasses(new To(variant), type));
    assertThat(refusal.function()).isEqualTo("RetransformClasses");
    assertThat(refusal.objections()).singleElement().asString().startsWith(Changeable.NAME);
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("3");
  }

  @Test
  void whatCannotBeChangedIsRefusedBeforeTheTransformerIsAsked() {
    Runnable lambda = () -> {};
    for (Class<?> type : List.of(int.class, int[].class, lambda.getClass())) {
      To transformer = new To(Variant.SAME);
      RedefinitionException refusal =
          catchThrowableOfType(
              RedefinitionException.class,
              () -> JvmTools.retransformClasses(transformer, String.class, type));
      assertThat(refusal.reason()).isEqualTo(Reason.UNMODIFIABLE_CLASS);
      assertThat(refusal.objections()).containsExactly(type.getName());
      assertThat(transformer.types).isEmpty();
      assertThatThrownBy(() -> JvmTools.retransformClasses(type)).hasMessage(refusal.getMessage());
    }
  }

  @Test
  void aTransformerMayLoadAndChangeClassesItself() {
    Class<?> type = Changeable.type();
    Class<?> other = Changeable.type();
    To inner = new To(Variant.OTHER_ANSWER);
    List<Class<?>> asked = new ArrayList<>();
    ClassFileTransformer outer =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> about, ProtectionDomain d, byte[] bytes) {
            asked.add(about);
            Changeable.make(Changeable.type());
            JvmTools.retransformClasses(inner, other);
            JvmTools.retransformClasses(inner, about);
            JvmTools.retransformClasses(about);
            return Variant.THIRD_ANSWER.file();
          }
        };
    assertThat(JvmTools.retransformClasses(outer, type)).containsExactly(type);
    // Once more, if the JVM writes the same class file otherwise than before.
    assertThat(asked).containsOnly(type);
    assertThat(inner.types).startsWith(other, type).containsOnly(other, type);
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("3");
    assertThat(Changeable.answer(Changeable.make(other))).isEqualTo("2");
  }

  /** If it ran in the middle, neither would return. */
  @Test
  void aTransformerMayWaitForWhoChangesTheSameClass() {
    Class<?> type = Changeable.type();
    ClassFileTransformer waiting =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> about, ProtectionDomain d, byte[] bytes) {
            Thread another = new Thread(() -> JvmTools.retransformClasses(about));
            another.start();
            try {
              another.join();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return Variant.OTHER_ANSWER.file();
          }
        };
    assertThat(JvmTools.retransformClasses(waiting, type)).containsExactly(type);
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
  }

  /** Who is redefined between the two is transformed from what that was. */
  @Test
  void whatSomebodyMakesOfAClassMeanwhileIsNotLost() {
    Class<?> type = Changeable.type();
    List<byte[]> given = new ArrayList<>();
    ClassFileTransformer redefining =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> about, ProtectionDomain d, byte[] bytes) {
            given.add(bytes.clone());
            if (given.size() == 1) {
              JvmTools.redefineClass(about, Variant.OTHER_ANSWER.file());
            }
            return Variant.THIRD_ANSWER.file();
          }
        };
    assertThat(JvmTools.retransformClasses(redefining, type)).containsExactly(type);
    assertThat(given).hasSize(2);
    assertThat(given.get(1)).isNotEqualTo(given.get(0));
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("3");
    JvmTools.retransformClasses(type);
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
  }

  @Test
  void manyThreadsTransformAtOnceInOneEnvironment() throws Exception {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_RETRANSFORM_CLASSES)) {
      AtOnce.run(
          4,
          thread -> {
            for (int i = 0; i < 10; i++) {
              Class<?> type = Changeable.type();
              To transformer = new To(Variant.OTHER_ANSWER);
              assertThat(jvmti.classes().retransform(transformer, type)).containsExactly(type);
              assertThat(transformer.types).containsExactly(type);
              assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
            }
          });
    }
  }

  @Test
  void withoutTheCapabilityNothingIsAsked() {
    To transformer = new To(Variant.SAME);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      assertThatThrownBy(() -> jvmti.classes().retransform(transformer, String.class))
          .isInstanceOf(MissingCapabilityException.class);
      jvmti.add(Capability.CAN_RETRANSFORM_CLASSES);
      Class<?> type = Changeable.type();
      assertThat(jvmti.classes().retransform(transformer, type)).containsExactly(type);
    }
    assertThat(transformer.types).hasSize(1);
  }

  @Test
  void closingInATransformerEndsItWell() {
    Class<?> type = Changeable.type();
    Jvmti jvmti = Jvmti.open(Capability.CAN_RETRANSFORM_CLASSES);
    ClassFileTransformer closing =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> about, ProtectionDomain d, byte[] bytes) {
            jvmti.close();
            return Variant.OTHER_ANSWER.file();
          }
        };
    assertThatThrownBy(() -> jvmti.classes().retransform(closing, type))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("1");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads")
  void aVirtualThreadMayDoIt() throws InterruptedException {
    Class<?> type = Changeable.type();
    Runnable body = () -> JvmTools.retransformClasses(new To(Variant.OTHER_ANSWER), type);
    VirtualThreads.start("transforms", body).join();
    assertThat(Changeable.answer(Changeable.make(type))).isEqualTo("2");
  }
}
