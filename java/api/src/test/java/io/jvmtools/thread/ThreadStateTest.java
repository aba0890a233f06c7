package io.jvmtools.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.thread.ThreadState.Flag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadStateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x0      | new",
        "0x2      | terminated",
        "0x5      | alive, runnable",
        "0x401    | alive, blocked on monitor enter",
        "0x191    | alive, waiting, indefinitely, in Object.wait",
        "0x2A1    | alive, waiting, timed, parked",
        "0xE1     | alive, waiting, timed, sleeping",
        "0x100005 | alive, runnable, suspended",
        "0x600005 | alive, runnable, interrupted, in native",
        "0x100000 | new, suspended",
      })
  void printsItsFlagsInWords(String bits, String words) {
    assertThat(ThreadState.of(Integer.decode(bits))).hasToString(words);
  }

  @ParameterizedTest
  @CsvSource({
    "0x0, NEW",
    "0x2, TERMINATED",
    "0x5, RUNNABLE",
    "0x401, BLOCKED",
    "0x91, WAITING",
    "0x191, WAITING",
    "0x291, WAITING",
    "0xA1, TIMED_WAITING",
    "0xE1, TIMED_WAITING",
    "0x100005, RUNNABLE",
    "0x100291, WAITING",
    "0x100295, WAITING",
    "0x70000005, RUNNABLE",
  })
  void convertsToTheJavaStateByTheSpecification(String bits, Thread.State state) {
    assertThat(ThreadState.of(Integer.decode(bits)).toJavaState()).isEqualTo(state);
  }

  @Test
  void keepsAndPrintsBitsItDoesNotKnow() {
    ThreadState vendor = ThreadState.of(0x50000005);

    assertThat(vendor).hasToString("alive, runnable, 0x50000000").isNotEqualTo(ThreadState.of(5));
    assertThat(vendor.bits()).isEqualTo(0x50000005);
    assertThat(ThreadState.of(Integer.MIN_VALUE | 1)).hasToString("alive, 0x80000000");
  }

  @Test
  void everyPredicateReadsItsOwnFlag() {
    ThreadState all = ThreadState.of(0x7007F7);
    ThreadState none = ThreadState.of(0);

    assertThat(predicates(all)).doesNotContain(false).hasSize(Flag.values().length);
    assertThat(predicates(none)).doesNotContain(true);
    assertThat(all.flags()).containsExactlyInAnyOrder(Flag.values());
    assertThat(none.flags()).isEmpty();
    assertThat(none.isNew()).isTrue();
  }

  @Test
  void comparesByItsBits() {
    assertThat(ThreadState.of(5)).isEqualTo(ThreadState.of(5)).hasSameHashCodeAs(ThreadState.of(5));
    assertThat(ThreadState.of(5)).isNotEqualTo(ThreadState.of(4)).isNotEqualTo(null);
  }

  private static boolean[] predicates(ThreadState state) {
    return new boolean[] {
      state.isAlive(),
      state.isTerminated(),
      state.isRunnable(),
      state.isBlockedOnMonitorEnter(),
      state.isWaiting(),
      state.isWaitingIndefinitely(),
      state.isWaitingWithTimeout(),
      state.isSleeping(),
      state.isInObjectWait(),
      state.isParked(),
      state.isSuspended(),
      state.isInterrupted(),
      state.isInNative()
    };
  }
}
