package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** Capabilities, and the environments that hold them. */
final class CapabilitiesScenes implements Scenes {

  private static final String SOLO = "can_suspend";
  private static final String OTHER_SOLO = "can_generate_breakpoint_events";

  private final Notes notes;
  private final Observer.Source source;

  CapabilitiesScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    several();
    solo();
    inTurns();
  }

  private void several() {
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
}
