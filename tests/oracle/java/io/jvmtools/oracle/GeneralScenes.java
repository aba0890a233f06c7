package io.jvmtools.oracle;

import io.jvmtools.oracle.Actor.Place;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Environments, their capabilities and their ends; timers; the rest. */
final class GeneralScenes {

  private static final String SOLO = "can_suspend";
  private static final String OTHER_SOLO = "can_generate_breakpoint_events";

  private final Notes notes;
  private final Observer.Source source;

  GeneralScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  void play() {
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      Observer bare = source.open();
      Call.note(notes, "bare", Call.all(parked.thread()), bare);
      notes.answer(bare::disposeEnvironment);
      disposed(parked.thread());
    }
    capabilities();
    solo();
    inTurns();
    Observer observer = source.open("can_get_thread_cpu_time", "can_get_current_thread_cpu_time");
    timers(observer);
    general(observer);
    verbose(observer);
    notes.answer(observer::disposeEnvironment);
  }

  /**
   * A collection may free what is disposed, and any use of it is a crash then: one comes before.
   */
  private void disposed(Thread thread) {
    Observer observer = source.open();
    System.gc();
    notes.note("DisposeEnvironment.once", observer::disposeEnvironment);
    Call.note(notes, "disposed", Call.all(thread), observer);
    notes.note("DisposeEnvironment.twice", observer::disposeEnvironment);
  }

  private void capabilities() {
    Observer observer = source.open();
    notes.note("GetPotentialCapabilities.fresh", observer::getPotentialCapabilities);
    notes.note("GetCapabilities.fresh", observer::getCapabilities);
    notes.note(
        "AddCapabilities.one",
        () -> observer.addCapabilities("can_tag_objects"),
        observer::getCapabilities);
    notes.note(
        "AddCapabilities.oneMore",
        () -> observer.addCapabilities("can_get_monitor_info"),
        observer::getCapabilities);
    notes.note(
        "AddCapabilities.again",
        () -> observer.addCapabilities("can_get_monitor_info", "can_tag_objects"),
        observer::getCapabilities);
    notes.note("GetCapabilities.two", observer::getCapabilities);
    notes.note("GetPotentialCapabilities.holdingTwo", observer::getPotentialCapabilities);
    notes.note(
        "RelinquishCapabilities.one",
        () -> observer.relinquishCapabilities("can_tag_objects"),
        observer::getCapabilities,
        () -> observer.getTag("anything"));
    notes.note(
        "RelinquishCapabilities.notHeld",
        () -> observer.relinquishCapabilities("can_pop_frame"),
        observer::getCapabilities);
    notes.note(
        "RelinquishCapabilities.all",
        () -> observer.relinquishCapabilities("can_get_monitor_info", "can_tag_objects"),
        observer::getCapabilities);
    notes.answer(observer::disposeEnvironment);
  }

  private void solo() {
    Observer one = source.open(SOLO);
    Observer two = source.open();
    notes.note("GetPotentialCapabilities.soloHeld", one::getPotentialCapabilities);
    notes.note("GetPotentialCapabilities.soloHeldByOther", two::getPotentialCapabilities);
    notes.note("AddCapabilities.soloHeldByOther", () -> two.addCapabilities(SOLO));
    notes.note(
        "AddCapabilities.allOrNothing",
        () -> two.addCapabilities(SOLO, "can_tag_objects"),
        two::getCapabilities);
    notes.note(
        "RelinquishCapabilities.handedOver",
        () -> one.relinquishCapabilities(SOLO),
        () -> two.addCapabilities(SOLO),
        two::getCapabilities,
        () -> one.addCapabilities(SOLO));
    notes.note(
        "DisposeEnvironment.givesBack",
        two::disposeEnvironment,
        () -> one.addCapabilities(SOLO),
        one::getCapabilities);
    notes.note(
        "DisposeEnvironment.othersStay",
        () -> source.open().disposeEnvironment(),
        one::getCapabilities,
        one::getPhase);
    notes.answer(one::disposeEnvironment);
  }

  /** Two environments that change different solo capabilities in turn lose none. */
  private void inTurns() {
    Observer one = source.open();
    Observer two = source.open();
    for (int i = 0; i < 100; i++) {
      notes.answer(() -> one.addCapabilities(SOLO));
      notes.answer(() -> two.addCapabilities(OTHER_SOLO));
      notes.answer(() -> one.relinquishCapabilities(SOLO));
      notes.answer(() -> two.relinquishCapabilities(OTHER_SOLO));
    }
    notes.note(
        "AddCapabilities.inTurns",
        () -> one.addCapabilities(SOLO, OTHER_SOLO),
        one::getCapabilities,
        one::disposeEnvironment);
    notes.answer(two::disposeEnvironment);
  }

  private void timers(Observer observer) {
    notes.note("GetTimerInfo.plain", observer::getTimerInfo);
    notes.note("GetThreadCpuTimerInfo.plain", observer::getThreadCpuTimerInfo);
    notes.note("GetCurrentThreadCpuTimerInfo.plain", observer::getCurrentThreadCpuTimerInfo);
    notes.note("GetAvailableProcessors.plain", observer::getAvailableProcessors);
    notes.grows("GetTime.passes", observer::getTime, GeneralScenes::work);
    notes.note("GetTime.betweenNanoTimes", () -> between(observer));
    notes.grows(
        "GetCurrentThreadCpuTime.passes", observer::getCurrentThreadCpuTime, GeneralScenes::work);
    Thread current = Thread.currentThread();
    notes.grows(
        "GetThreadCpuTime.passes", () -> observer.getThreadCpuTime(current), GeneralScenes::work);
    if (Virtual.isHere()) {
      Virtual.run(
          () -> {
            notes.note(
                "GetCurrentThreadCpuTime.virtual",
                () -> Call.anyNumber(observer.getCurrentThreadCpuTime()));
            notes.note(
                "GetCurrentThreadCpuTimerInfo.virtual", observer::getCurrentThreadCpuTimerInfo);
          });
    }
  }

  private void general(Observer observer) {
    notes.note("GetPhase.plain", observer::getPhase);
    notes.note("GetVersionNumber.plain", observer::getVersionNumber);
    notes.note("GetJLocationFormat.plain", observer::getJLocationFormat);
    // Every number that is one on some JDK, and the gaps.
    for (int number = 0; number <= 130; number += 10) {
      int from = number;
      notes.note(
          "GetErrorName.from" + from,
          IntStream.range(from, from + 10)
              .<Supplier<String>>mapToObj(code -> () -> observer.getErrorName(code))
              .toList());
    }
    notes.note("GetErrorName.unknown", () -> observer.getErrorName(9999));
    notes.note("GetErrorName.smallest", () -> observer.getErrorName(Integer.MIN_VALUE));
    notes.note("GetErrorName.largest", () -> observer.getErrorName(Integer.MAX_VALUE));
  }

  private void verbose(Observer observer) {
    for (String flag : new String[] {"GC", "CLASS", "JNI", "OTHER"}) {
      notes.note(
          "SetVerboseFlag." + flag,
          () -> observer.setVerboseFlag(flag, true),
          GeneralScenes::isVerbose,
          () -> observer.setVerboseFlag(flag, true),
          () -> observer.setVerboseFlag(flag, false),
          GeneralScenes::isVerbose);
    }
  }

  private static String isVerbose() {
    return ManagementFactory.getMemoryMXBean().isVerbose()
        + " "
        + ManagementFactory.getClassLoadingMXBean().isVerbose();
  }

  private static String between(Observer observer) {
    long before = System.nanoTime();
    String answer = observer.getTime();
    long after = System.nanoTime();
    long time = Long.parseLong(answer);
    return String.valueOf(before <= time && time <= after);
  }

  /** Takes longer than any timer's tick. */
  private static void work() {
    long until = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }
}
