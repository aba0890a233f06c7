package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Environments without capabilities, and their ends; what the VM is. */
final class GeneralScenes implements Scenes {

  private final Notes notes;
  private final Observer.Source source;

  GeneralScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      Observer bare = source.open();
      Call.note(notes, "bare", Call.all(parked.thread()), bare);
      notes.answer(bare::disposeEnvironment);
      disposed(parked.thread());
    }
    Observer observer = source.open();
    general(observer);
    verbose(observer);
    localStorage(observer);
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

  private void localStorage(Observer one) {
    notes.note("GetEnvironmentLocalStorage.atFirst", one::getEnvironmentLocalStorage);
    for (long value : new long[] {Long.MIN_VALUE, -1, 42, 0, Long.MAX_VALUE}) {
      notes.note(
          "SetEnvironmentLocalStorage.to" + value,
          () -> one.setEnvironmentLocalStorage(value),
          one::getEnvironmentLocalStorage);
    }
    Observer two = source.open("can_tag_objects");
    notes.note(
        "GetEnvironmentLocalStorage.perEnvironment",
        two::getEnvironmentLocalStorage,
        () -> two.setEnvironmentLocalStorage(7),
        one::getEnvironmentLocalStorage);
    notes.answer(two::disposeEnvironment);
    notes.note("GetEnvironmentLocalStorage.otherDisposed", one::getEnvironmentLocalStorage);
  }

  private static String isVerbose() {
    return ManagementFactory.getMemoryMXBean().isVerbose()
        + " "
        + ManagementFactory.getClassLoadingMXBean().isVerbose();
  }
}
