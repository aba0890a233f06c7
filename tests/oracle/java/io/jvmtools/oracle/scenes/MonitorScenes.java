package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.Eventually;

/** Monitors: owned, entered twice, contended, awaited, entered by native code. */
final class MonitorScenes implements Scenes {

  private final Notes notes;
  private final Observer observer;

  MonitorScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer =
        source.open(
            "can_get_owned_monitor_info",
            "can_get_owned_monitor_stack_depth_info",
            "can_get_current_contended_monitor",
            "can_get_monitor_info",
            "can_suspend");
  }

  @Override
  public void play() {
    nested();
    contended();
    own();
    byNativeCode();
    if (Virtual.isHere()) {
      virtual();
    }
    notes.answer(observer::disposeEnvironment);
  }

  private void nested() {
    Object twice = Names.object("twice");
    Object outer = Names.object("outer");
    Object inner = Names.object("inner");
    try (Actor actor = Actor.in(Place.PARK, "nested", twice, outer, inner, twice)) {
      owned("nested", actor.thread());
      usage("twice", twice);
      usage("outer", outer);
    }
    usage("released", twice);
  }

  private void contended() {
    Object object = Names.object("contended");
    Object other = Names.object("held while waiting");
    try (Actor waiter = Actor.in(Place.WAIT, "waiter", other, object)) {
      usage("onlyAwaited", object);
      owned("inWait", waiter.thread());
      try (Actor owner = Actor.in(Place.PARK, "owner", object, object);
          Actor first = Actor.in(Place.BLOCKED, "first", object);
          Actor second = Actor.in(Place.BLOCKED, "second", other)) {
        usage("contended", object);
        usage("heldWhileWaiting", other);
        owned("ownerOfContended", owner.thread());
        owned("first", first.thread());
        owned("second", second.thread());
        waiter.thread().interrupt();
        // Now it wants the monitor again, and has it not.
        awaitBlocked(waiter.thread());
        usage("wantedAgain", object);
        owned("wantsAgain", waiter.thread());
        owner.letGo();
        waiter.letGo();
      }
    }
    usage("afterwards", object);
  }

  private void own() {
    Object far = Names.object("far");
    Object near = Names.object("near");
    usage("free", near);
    owned("ownNone", Thread.currentThread());
    synchronized (far) {
      synchronized (near) {
        owned("ownTwo", Thread.currentThread());
        usage("own", near);
      }
      owned("ownOne", Thread.currentThread());
    }
    usage("freeAgain", near);
  }

  private void byNativeCode() {
    Object object = Names.object("entered by native code");
    NativeCode.enter(object);
    try {
      owned("byNativeCode", Thread.currentThread());
      usage("byNativeCode", object);
      synchronized (object) {
        owned("byNativeCodeAndJava", Thread.currentThread());
        usage("byNativeCodeAndJava", object);
      }
    } finally {
      NativeCode.exit(object);
    }
  }

  private void virtual() {
    Object outer = Names.object("outer");
    Object inner = Names.object("inner");
    // It runs: parked in a monitor it would hold its carrier on some JDKs.
    try (Actor actor = Actor.virtual(Place.SPIN, "virtual", outer, inner, outer)) {
      owned("virtual", actor.thread());
      notes.answer(() -> observer.suspendThread(actor.thread()));
      owned("virtualSuspended", actor.thread());
      notes.answer(() -> observer.resumeThread(actor.thread()));
      usage("virtual", outer);
      Actor first = Actor.in(Place.BLOCKED, "blocked by virtual", outer);
      owned("blockedByVirtual", first.thread());
      usage("wantedFromVirtual", outer);
      actor.letGo();
      first.letGo();
    }
  }

  private void owned(String scenario, Thread thread) {
    notes.note("GetOwnedMonitorInfo." + scenario, () -> observer.getOwnedMonitorInfo(thread));
    notes.note(
        "GetOwnedMonitorStackDepthInfo." + scenario,
        () -> observer.getOwnedMonitorStackDepthInfo(thread));
    notes.note(
        "GetCurrentContendedMonitor." + scenario,
        () -> observer.getCurrentContendedMonitor(thread));
  }

  private void usage(String scenario, Object object) {
    notes.note("GetObjectMonitorUsage." + scenario, () -> observer.getObjectMonitorUsage(object));
  }

  private static void awaitBlocked(Thread thread) {
    Eventually.isTrue(thread + " is blocked", () -> thread.getState() == Thread.State.BLOCKED);
  }
}
