package io.jvmtools.functions.system;

import static io.jvmtools.system.JniFunction.CALL_OBJECT_METHOD;
import static io.jvmtools.system.JniFunction.FROM_REFLECTED_FIELD;
import static io.jvmtools.system.JniFunction.GET_FIELD_ID;
import static io.jvmtools.system.JniFunction.GET_STRING_UTF_LENGTH_AS_LONG;
import static io.jvmtools.system.JniFunction.GET_VERSION;
import static io.jvmtools.system.JniFunction.IS_VIRTUAL_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.system.JniTableNatives;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.support.JniCalls;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * GetJNIFunctionTable and SetJNIFunctionTable: calls are counted, and the table is as it was
 * afterwards. {@link JniCalls} makes a known number of calls and reads the table.
 */
class JniFunctionsTest {

  private static final int SLOT_OF_GET_VERSION = 4;
  private static final int SLOT_OF_FROM_REFLECTED_FIELD = 8;
  private static final int THREADS = 4;
  private static final int TIMES = 2_000;

  @Test
  void callsByAnyThreadAreCountedExactlyAndAnswerWhatTheyShould() throws Exception {
    int version = JniCalls.getVersion(1);
    try (Jvmti jvmti = Jvmti.open();
        JniCallCounter counter =
            jvmti.jniFunctions().count(GET_VERSION, CALL_OBJECT_METHOD, GET_FIELD_ID)) {
      AtOnce.run(
          THREADS,
          number -> {
            assertThat(JniCalls.getVersion(TIMES)).isEqualTo(version);
            JniCalls.variadic(TIMES);
            assertThat(JniCalls.getFieldId(JniCalls.WithAField.class, TIMES)).isEqualTo(TIMES);
          });
      long calls = THREADS * TIMES;
      assertThat(counter.calls()).containsOnlyKeys(GET_VERSION, CALL_OBJECT_METHOD, GET_FIELD_ID);
      assertThat(counter.calls().values()).containsOnly(calls);
      assertThat(counter.calls(CALL_OBJECT_METHOD)).isEqualTo(calls);
      assertThat(counter.functions())
          .containsExactly(GET_VERSION, CALL_OBJECT_METHOD, GET_FIELD_ID);
    }
  }

  @Test
  void onlyWhatIsCountedIsInTheTableAndOnlyUntilItIsClosed() {
    long getVersion = JniCalls.function(SLOT_OF_GET_VERSION);
    long fromReflectedField = JniCalls.function(SLOT_OF_FROM_REFLECTED_FIELD);
    JniCallCounter counter = JvmTools.countJniCalls(GET_VERSION);
    assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isNotEqualTo(getVersion);
    assertThat(JniCalls.function(SLOT_OF_FROM_REFLECTED_FIELD)).isEqualTo(fromReflectedField);
    counter.close();
    assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(getVersion);
  }

  @Test
  void allThatThereAreCanBeCountedAtOnce() {
    long getVersion = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open();
        JniCallCounter counter = jvmti.jniFunctions().countAll()) {
      JniCalls.getVersion(TIMES);
      JniCalls.variadic(TIMES);
      JvmTools.getAllThreads();
      System.gc();
      assertThat(counter.calls(GET_VERSION)).isGreaterThanOrEqualTo(TIMES);
      assertThat(counter.calls(JniFunction.IS_SAME_OBJECT)).isGreaterThanOrEqualTo(TIMES);
    }
    assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(getVersion);
  }

  @Test
  void countersOfTheSameFunctionCountEachForItself() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      JniCallCounter first = jvmti.jniFunctions().count(GET_VERSION, GET_VERSION);
      JniCalls.getVersion(1);
      JniCallCounter second = jvmti.jniFunctions().count(GET_VERSION);
      JniCalls.getVersion(2);
      first.close();
      JniCalls.getVersion(4);
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isNotEqualTo(original);
      second.close();
      JniCalls.getVersion(8);
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(original);
      assertThat(first.calls(GET_VERSION)).isEqualTo(3);
      assertThat(second.calls(GET_VERSION)).isEqualTo(6);
    }
  }

  @Test
  void whatWasCountedStaysWhenItIsClosedAndClosingAgainDoesNothing() {
    JniCallCounter counter;
    try (Jvmti jvmti = Jvmti.open()) {
      counter = jvmti.jniFunctions().count(GET_VERSION);
      JniCalls.getVersion(3);
      counter.close();
      counter.close();
      assertThat(counter.calls()).containsOnlyKeys(GET_VERSION).containsValue(3L);
    }
    counter.close();
    assertThat(counter.calls(GET_VERSION)).isEqualTo(3);
    assertThat(counter).hasToString("JniCallCounter[GET_VERSION]");
  }

  @Test
  void aCounterEndsWithItsEnvironment() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    JniCallCounter counter;
    try (Jvmti jvmti = Jvmti.open()) {
      counter = jvmti.jniFunctions().count(GET_VERSION);
    }
    Eventually.isTrue(
        "the function is back", () -> JniCalls.function(SLOT_OF_GET_VERSION) == original);
    assertThatIllegalStateException().isThrownBy(counter::calls);
    counter.close();
    assertThatIllegalStateException().isThrownBy(() -> counter.calls(GET_VERSION));
  }

  @Test
  void aForgottenCounterIsClosed() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      GcUntil.cleared(new WeakReference<>(jvmti.jniFunctions().count(GET_VERSION)));
      Eventually.isTrue(
          "the function is back", () -> JniCalls.function(SLOT_OF_GET_VERSION) == original);
    }
  }

  @Test
  void anotherAgentsFunctionOverOursStaysAndIsNoObstacle() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      JniCallCounter below = jvmti.jniFunctions().count(GET_VERSION);
      assertThat(JniCalls.cover()).isZero();
      final long covering = JniCalls.function(SLOT_OF_GET_VERSION);
      final long before = JniCalls.coveringCalls();
      JniCalls.getVersion(1);
      below.close();
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(covering);
      JniCalls.getVersion(2);
      assertThat(below.calls(GET_VERSION)).as("through the other's function").isEqualTo(1);

      JniCallCounter above = jvmti.jniFunctions().count(GET_VERSION);
      JniCalls.getVersion(4);
      assertThat(above.calls(GET_VERSION)).as("before the other's function").isEqualTo(4);
      above.close();
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(covering);
      assertThat(JniCalls.coveringCalls() - before)
          .as("calls of the other's function")
          .isEqualTo(7);

      assertThat(JniCalls.uncover()).isZero();
      JniCalls.getVersion(1);
      jvmti.jniFunctions().count(FROM_REFLECTED_FIELD).close();
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION))
          .as("what was left below goes when the table is changed next")
          .isEqualTo(original);
    }
  }

  @Test
  void anOlderTableThatIsPutBackEndsTheCountingAndNothingElse() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    assertThat(JniCalls.save()).isZero();
    try (Jvmti jvmti = Jvmti.open()) {
      JniCallCounter counter = jvmti.jniFunctions().count(GET_VERSION);
      JniCalls.getVersion(1);
      assertThat(JniCalls.putBack()).isZero();
      JniCalls.getVersion(2);
      assertThat(counter.calls(GET_VERSION)).isEqualTo(1);
      try (JniCallCounter next = jvmti.jniFunctions().count(GET_VERSION)) {
        JniCalls.getVersion(4);
        assertThat(next.calls(GET_VERSION)).isEqualTo(4);
      }
      counter.close();
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(original);
    }
  }

  @Test
  void aTableWithOursThatIsPutBackLaterDoesNoHarm() {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      try (JniCallCounter counter = jvmti.jniFunctions().count(GET_VERSION)) {
        assertThat(JniCalls.save()).isZero();
        assertThat(counter.functions()).containsExactly(GET_VERSION);
      }
      assertThat(JniCalls.putBack()).isZero();
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isNotEqualTo(original);
      JniCalls.getVersion(TIMES);
      try (JniCallCounter counter = jvmti.jniFunctions().count(GET_VERSION)) {
        JniCalls.getVersion(1);
        assertThat(counter.calls(GET_VERSION)).isEqualTo(1);
      }
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(original);
    }
  }

  @Test
  void whatThisLibraryCallsCountsToo() {
    try (Jvmti jvmti = Jvmti.open();
        JniCallCounter counter = jvmti.jniFunctions().count(JniFunction.NEW_INT_ARRAY)) {
      jvmti.jniFunctions().available();
      assertThat(counter.calls(JniFunction.NEW_INT_ARRAY)).isEqualTo(1);
    }
  }

  @Test
  void availableAreThoseThatTheTableHas() {
    Set<JniFunction> available = JvmTools.getJNIFunctionTable();
    assertThat(available).hasSize(JniCalls.filled());
    assertThat(available)
        .containsExactlyElementsOf(
            Arrays.stream(JniFunction.values())
                .filter(function -> function.since() <= Installation.feature())
                .toList());
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.jniFunctions().available()).isEqualTo(available);
    }
  }

  @Test
  void whatThisJvmDoesNotHaveIsRefusedAndLeavesNothing() {
    long getVersion = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      for (JniFunction newer : List.of(IS_VIRTUAL_THREAD, GET_STRING_UTF_LENGTH_AS_LONG)) {
        if (newer.since() <= Installation.feature()) {
          jvmti.jniFunctions().count(GET_VERSION, newer).close();
        } else {
          assertThatExceptionOfType(NotSupportedException.class)
              .isThrownBy(() -> jvmti.jniFunctions().count(GET_VERSION, newer));
        }
        assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(getVersion);
      }
    }
  }

  @Test
  void wrongSlotsAndCountersAreRefused() {
    JvmTools.getPhase();
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    for (int slot : new int[] {Integer.MIN_VALUE, -1, 0, 3, 236, Integer.MAX_VALUE}) {
      assertThatExceptionOfType(NotSupportedException.class)
          .as("slot %d", slot)
          .isThrownBy(() -> JniTableNatives.setJNIFunctionTable(env, owner, new int[] {slot}));
    }
    assertThatIllegalStateException().isThrownBy(() -> JniTableNatives.calls(env, 0));
    JniTableNatives.stopCounting(env, 0);
    GeneralNatives.close(env);
  }

  @Test
  void nullsNothingAndWhatIsNotCountedAreRefused() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.jniFunctions().count((JniFunction[]) null))
          .withMessage("functions");
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.jniFunctions().count(GET_VERSION, null))
          .withMessage("functions[1]");
      assertThatIllegalArgumentException().isThrownBy(() -> jvmti.jniFunctions().count());
      try (JniCallCounter counter = jvmti.jniFunctions().count(GET_VERSION)) {
        assertThatIllegalArgumentException().isThrownBy(() -> counter.calls(GET_FIELD_ID));
        assertThatNullPointerException()
            .isThrownBy(() -> counter.calls(null))
            .withMessage("function");
      }
    }
  }

  @Test
  void aClosedEnvironmentIsRefused() {
    Jvmti jvmti = Jvmti.open();
    jvmti.close();
    assertThatIllegalStateException().isThrownBy(() -> jvmti.jniFunctions().available());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.jniFunctions().count(GET_VERSION));
  }

  @Test
  void countersComeAndGoWhileOthersCall() throws Exception {
    long original = JniCalls.function(SLOT_OF_GET_VERSION);
    try (Jvmti jvmti = Jvmti.open()) {
      AtOnce.run(
          THREADS,
          number -> {
            List<JniCallCounter> counters = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              JniCallCounter counter = jvmti.jniFunctions().count(GET_VERSION);
              JniCalls.getVersion(10);
              assertThat(counter.calls(GET_VERSION)).isGreaterThanOrEqualTo(10);
              counters.add(counter);
              if (i % 2 == 1) {
                counters.remove(0).close();
              }
            }
            counters.forEach(JniCallCounter::close);
          });
    }
    assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(original);
  }
}
