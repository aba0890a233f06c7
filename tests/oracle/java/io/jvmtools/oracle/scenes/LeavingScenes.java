package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.Eventually;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Frames that are popped, and methods that return what they are told. */
final class LeavingScenes implements Scenes {

  private final Notes notes;
  private final Observer observer;

  LeavingScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer =
        source.open(
            "can_suspend",
            "can_pop_frame",
            "can_force_early_return",
            "can_generate_frame_pop_events");
  }

  @Override
  public void play() {
    if (notes.answer(() -> observer.resumeThread(Thread.currentThread())) == null) {
      return; // Java has none of it.
    }
    returned("Void", Turning::nothing, thread -> observer.forceEarlyReturnVoid(thread));
    returned("Int", Turning::anInt, thread -> observer.forceEarlyReturnInt(thread, -7));
    returned("Long", Turning::aLong, thread -> observer.forceEarlyReturnLong(thread, 1L << 40));
    returned("Float", Turning::aFloat, thread -> observer.forceEarlyReturnFloat(thread, 3));
    returned("Double", Turning::aDouble, thread -> observer.forceEarlyReturnDouble(thread, -3));
    returned(
        "Object", Turning::aList, thread -> observer.forceEarlyReturnObject(thread, List.of(1)));
    returned("Object", Turning::aString, thread -> observer.forceEarlyReturnObject(thread, null));
    returned("Int", Turning::aBoolean, thread -> observer.forceEarlyReturnInt(thread, 1));
    popped(new Turning(Turning::anInt));
    notices();
    ofNoUse("notStarted", Actor.unstarted());
    ofNoUse("over", Actor.ended());
    try (Actor spinning = Actor.in(Place.SPIN, "spinning")) {
      ofNoUse("running", spinning.thread());
    }
    suspended("parked", Actor.in(Place.PARK, "parked"));
    suspended("waiting", Actor.in(Place.WAIT, "waiting", Names.object("awaited")));
    Object monitor = Names.object("monitor");
    Actor blocked;
    synchronized (monitor) {
      blocked = Actor.in(Place.BLOCKED, "blocked", monitor);
      Notes.require("NONE", observer.suspendThread(blocked.thread()));
      ofNoUse("blocked", blocked.thread());
      Notes.require("NONE", observer.resumeThread(blocked.thread()));
    }
    blocked.close();
    if (Virtual.isHere()) {
      virtual();
    }
    notes.answer(observer::disposeEnvironment);
  }

  /** What a method answers to each kind of value, its own one last, and what comes of it. */
  private void returned(
      String kind, Function<Turning, Object> method, Function<Thread, String> right) {
    Turning turning = new Turning(method);
    Thread thread = turning.start();
    Notes.require("NONE", observer.suspendThread(thread));
    String in = ".in" + turning.name();
    if (!kind.equals("Void")) {
      notes.note("ForceEarlyReturnVoid" + in, () -> observer.forceEarlyReturnVoid(thread));
    }
    if (!kind.equals("Int")) {
      notes.note("ForceEarlyReturnInt" + in, () -> observer.forceEarlyReturnInt(thread, 1));
    }
    if (!kind.equals("Long")) {
      notes.note("ForceEarlyReturnLong" + in, () -> observer.forceEarlyReturnLong(thread, 1));
    }
    if (!kind.equals("Float")) {
      notes.note("ForceEarlyReturnFloat" + in, () -> observer.forceEarlyReturnFloat(thread, 1));
    }
    if (!kind.equals("Double")) {
      notes.note("ForceEarlyReturnDouble" + in, () -> observer.forceEarlyReturnDouble(thread, 1));
    }
    notes.note(
        "ForceEarlyReturnObject.another" + turning.name(),
        () -> observer.forceEarlyReturnObject(thread, new int[1]));
    notes.note(
        "ForceEarlyReturn" + kind + ".right" + turning.name(),
        () -> right.apply(thread),
        () -> observer.resumeThread(thread),
        turning::outcome);
  }

  private void popped(Turning turning) {
    Thread thread = turning.start();
    notes.note(
        "PopFrame.again",
        () -> observer.suspendThread(thread),
        () -> observer.popFrame(thread),
        () -> observer.resumeThread(thread),
        () -> turning.awaitCall(2),
        turning::outcome);
  }

  /** Of which frames the VM is to tell when they are left. */
  private void notices() {
    Turning turning = new Turning(Turning::anInt);
    Thread thread = turning.start();
    Notes.require("NONE", observer.suspendThread(thread));
    for (int depth : new int[] {0, 1, 100, Integer.MAX_VALUE, -1}) {
      String scenario = "at" + (depth < 0 ? "Negative" : depth);
      notes.note(
          "NotifyFramePop." + scenario,
          () -> observer.notifyFramePop(thread, depth),
          () -> observer.notifyFramePop(thread, depth));
    }
    if (Call.here().contains("ClearAllFramePops")) {
      notes.note(
          "ClearAllFramePops.andAgain",
          () -> observer.clearAllFramePops(thread),
          () -> observer.clearAllFramePops(thread),
          () -> observer.notifyFramePop(thread, 0));
    }
    Notes.require("NONE", observer.resumeThread(thread));
    turning.outcome();
    notes.note("NotifyFramePop.own", () -> observer.notifyFramePop(Thread.currentThread(), 1));
  }

  private void suspended(String scenario, Actor actor) {
    Notes.require("NONE", observer.suspendThread(actor.thread()));
    ofNoUse(scenario, actor.thread());
    Notes.require("NONE", observer.resumeThread(actor.thread()));
    actor.close();
  }

  private void ofNoUse(String scenario, Thread thread) {
    notes.note("PopFrame." + scenario, () -> observer.popFrame(thread));
    notes.note("NotifyFramePop." + scenario, () -> observer.notifyFramePop(thread, 0));
    if (Call.here().contains("ClearAllFramePops")) {
      notes.note("ClearAllFramePops." + scenario, () -> observer.clearAllFramePops(thread));
    }
    notes.note("ForceEarlyReturnVoid." + scenario, () -> observer.forceEarlyReturnVoid(thread));
    notes.note(
        "ForceEarlyReturnObject." + scenario, () -> observer.forceEarlyReturnObject(thread, null));
    notes.note("ForceEarlyReturnInt." + scenario, () -> observer.forceEarlyReturnInt(thread, 1));
    notes.note("ForceEarlyReturnLong." + scenario, () -> observer.forceEarlyReturnLong(thread, 1));
    notes.note(
        "ForceEarlyReturnFloat." + scenario, () -> observer.forceEarlyReturnFloat(thread, 1));
    notes.note(
        "ForceEarlyReturnDouble." + scenario, () -> observer.forceEarlyReturnDouble(thread, 1));
  }

  private void virtual() {
    suspended("virtualParked", Actor.virtual(Place.PARK, "virtual parked"));
    Turning turning = new Turning(Turning::anInt);
    Thread thread = Virtual.start("actor virtual turning", turning);
    turning.awaitCall(1);
    // That it is called again is the JVM's answer alone: ours refuses, because it crashes
    // (LeftFramesTest).
    ofNoUse("virtualRunning", thread);
    turning.outcome();
    Turning returning = new Turning(Turning::anInt);
    Thread other = Virtual.start("actor virtual returning", returning);
    returning.awaitCall(1);
    notes.note(
        "ForceEarlyReturnInt.virtual",
        () -> observer.suspendThread(other),
        () -> observer.forceEarlyReturnInt(other, 5),
        () -> observer.resumeThread(other),
        returning::outcome);
  }

  /** Turns in a method, which calls nothing then. */
  private static final class Turning implements Runnable {

    private final Function<Turning, Object> method;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int reached;
    private volatile boolean over;
    private volatile Thread thread;
    private volatile Object result;
    private volatile String name;

    Turning(Function<Turning, Object> method) {
      this.method = method;
    }

    Thread start() {
      thread = new Thread(this, "actor turning");
      thread.setDaemon(true);
      thread.start();
      awaitCall(1);
      return thread;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      result = method.apply(this);
    }

    String name() {
      return name;
    }

    String awaitCall(int number) {
      Eventually.isTrue("it turns", () -> reached == number);
      return "turns";
    }

    String outcome() {
      over = true;
      Actor.join(thread);
      return result + " by " + calls;
    }

    private int begin(String called) {
      name = called;
      return calls.incrementAndGet();
    }

    Object nothing() {
      turn();
      return "nothing";
    }

    private void turn() {
      int call = begin("Nothing");
      while (!over) {
        reached = call;
      }
    }

    int anInt() {
      int call = begin("Int");
      while (!over) {
        reached = call;
      }
      return 0;
    }

    boolean aBoolean() {
      int call = begin("Boolean");
      while (!over) {
        reached = call;
      }
      return false;
    }

    long aLong() {
      int call = begin("Long");
      while (!over) {
        reached = call;
      }
      return 0;
    }

    float aFloat() {
      int call = begin("Float");
      while (!over) {
        reached = call;
      }
      return 0;
    }

    double aDouble() {
      int call = begin("Double");
      while (!over) {
        reached = call;
      }
      return 0;
    }

    String aString() {
      int call = begin("String");
      while (!over) {
        reached = call;
      }
      return "own";
    }

    List<?> aList() {
      int call = begin("List");
      while (!over) {
        reached = call;
      }
      return List.of();
    }
  }
}
