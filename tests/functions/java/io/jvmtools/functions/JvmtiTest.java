package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Samples;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every function of an environment, and for both doors. */
class JvmtiTest {

  private static Jvmti closed;

  @BeforeAll
  static void aClosedEnvironmentIsKept() {
    closed = Jvmti.open();
    closed.close();
    GcUntil.settled();
  }

  static Stream<Method> instanceFunctions() {
    return Facets.functions(Jvmti.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.getName().equals("close"));
  }

  static Stream<Arguments> referenceParameters() {
    return Stream.concat(
            Facets.functions(JvmTools.class, Jvmti.class),
            Arrays.stream(Jvmti.class.getMethods()).filter(m -> m.getName().equals("open")))
        .flatMap(
            method ->
                IntStream.range(0, method.getParameterCount())
                    .filter(i -> !method.getParameterTypes()[i].isPrimitive())
                    .mapToObj(i -> Arguments.of(method, i)));
  }

  @Test
  void thereAreFunctionsToTry() {
    assertThat(instanceFunctions()).hasSizeGreaterThan(50);
    assertThat(referenceParameters()).hasSizeGreaterThan(75);
  }

  @ParameterizedTest
  @MethodSource("instanceFunctions")
  void functionOfAClosedEnvironmentIsRefused(Method method) {
    assertThatIllegalStateException()
        .isThrownBy(() -> Facets.invoke(method, closed, Samples.good(method)))
        .withMessage("this environment is closed; open another one");
  }

  @ParameterizedTest
  @MethodSource("referenceParameters")
  void nullIsRefusedByTheNameOfItsParameter(Method method, int parameter) {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      Object[] arguments = Samples.good(method);
      arguments[parameter] = null;
      assertThatNullPointerException()
          .isThrownBy(() -> Facets.invoke(method, jvmti, arguments))
          .satisfies(e -> assertThat(e.getMessage()).isIn(Samples.names(method, parameter)));
    }
  }

  @Test
  void aNullCapabilityIsRefused() {
    Capability[] none = {null};
    assertThatNullPointerException()
        .isThrownBy(() -> Jvmti.open(none))
        .withMessage("capabilities[0]");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.add(none))
          .withMessage("capabilities[0]");
    }
  }

  @Test
  void addingNothingToAClosedEnvironmentIsRefusedToo() {
    Jvmti jvmti = Jvmti.open();
    jvmti.close();
    assertThatIllegalStateException().isThrownBy(() -> jvmti.add());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.relinquish());
  }

  /** DisposeEnvironment. */
  @Test
  void closingTwiceIsHarmless() {
    Jvmti jvmti = Jvmti.open();
    assertThat(jvmti.isOpen()).isTrue();
    jvmti.close();
    assertThat(jvmti.isOpen()).isFalse();
    jvmti.close();
    assertThat(jvmti.isOpen()).isFalse();
  }

  @Test
  void facetsOfAnEnvironmentStayTheSame() throws ReflectiveOperationException {
    try (Jvmti jvmti = Jvmti.open()) {
      for (Class<?> type : ProductClasses.facets()) {
        assertThat(Facets.of(jvmti, type)).isInstanceOf(type).isSameAs(Facets.of(jvmti, type));
      }
    }
  }

  @Test
  void printsWhatItHolds() {
    Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS, Capability.CAN_GET_BYTECODES);
    assertThat(jvmti).hasToString("Jvmti[CAN_TAG_OBJECTS, CAN_GET_BYTECODES]");
    jvmti.close();
    assertThat(jvmti).hasToString("Jvmti[closed]");
  }

  @Test
  void aHandleThatIsUsedAgainDoesNotOpenWhatWasClosed() {
    Jvmti closed = Jvmti.open();
    closed.close();
    for (int i = 0; i < 100; i++) {
      try (Jvmti other = Jvmti.open()) {
        assertThat(other.isOpen()).isTrue();
        assertThat(closed.isOpen()).isFalse();
      }
    }
    assertThatIllegalStateException().isThrownBy(closed::phase);
  }

  @Test
  void manyEnvironmentsCanBeOpenAtOnce() {
    Jvmti[] environments = new Jvmti[200];
    Object object = new Object();
    for (int i = 0; i < environments.length; i++) {
      environments[i] = Jvmti.open(Capability.CAN_TAG_OBJECTS);
      environments[i].objects().setTag(object, i + 1);
    }
    for (int i = 0; i < environments.length; i++) {
      assertThat(environments[i].objects().tag(object)).hasValue(i + 1);
    }
    for (Jvmti environment : environments) {
      environment.close();
    }
  }
}
