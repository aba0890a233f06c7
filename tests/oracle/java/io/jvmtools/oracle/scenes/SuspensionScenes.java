package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Suspending and resuming, one, several and all virtual threads; agent threads. */
final class SuspensionScenes implements Scenes {

  private static final int SUSPENDED = 0x100000;
  private static final int IN_NATIVE = 0x400000;

  private final Notes notes;
  private final Observer observer;

  SuspensionScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    List<String> capabilities = new ArrayList<>(List.of("can_suspend", "can_signal_thread"));
    if (Virtual.isHere()) {
      capabilities.add("can_support_virtual_threads");
    }
    this.observer = source.open(capabilities.toArray(String[]::new));
  }

  @Override
  public void play() {
    if (notes.answer(() -> observer.resumeThread(Thread.currentThread())) == null) {
      return; // Java has none of it.
    }
    places();
    resuming();
    self();
    lists();
    stacks();
    agentThreads();
    if (Virtual.isHere()) {
      virtual();
      allVirtual();
    }
    notes.answer(observer::disposeEnvironment);
  }

  private void places() {
    Object monitor = Names.object("monitor");
    suspended("parked", Actor.in(Place.PARK, "parked"));
    suspended("timedPark", Actor.in(Place.TIMED_PARK, "timed park"));
    suspended("asleep", Actor.in(Place.SLEEP, "asleep"));
    suspended("spinning", Actor.in(Place.SPIN, "spinning"));
    suspended("waiting", Actor.in(Place.WAIT, "waiting", monitor));
    synchronized (monitor) {
      Actor blocked = Actor.in(Place.BLOCKED, "blocked", monitor);
      Thread thread = blocked.thread();
      notes.note(
          "SuspendThread.blocked",
          () -> observer.suspendThread(thread),
          () -> observer.getThreadState(thread),
          () -> observer.resumeThread(thread),
          () -> observer.getThreadState(thread));
    }
  }

  private void suspended(String scenario, Actor actor) {
    Thread thread = actor.thread();
    notes.note(
        "SuspendThread." + scenario,
        () -> observer.suspendThread(thread),
        () -> observer.getThreadState(thread),
        () -> observer.suspendThread(thread),
        () -> observer.getThreadState(thread),
        () -> observer.resumeThread(thread),
        () -> observer.getThreadState(thread));
    actor.letGo();
  }

  private void resuming() {
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      Thread thread = parked.thread();
      notes.note("ResumeThread.neverSuspended", () -> observer.resumeThread(thread));
      notes.note(
          "ResumeThread.twice",
          () -> observer.suspendThread(thread),
          () -> observer.resumeThread(thread),
          () -> observer.resumeThread(thread));
      notes.note(
          "ResumeThread.suspendedByList",
          () -> observer.suspendThreadList(thread),
          () -> observer.resumeThread(thread));
    }
    notes.note("ResumeThread.current", () -> observer.resumeThread(Thread.currentThread()));
  }

  private void self() {
    @Nullable String[] answer = new String[1];
    Thread thread =
        new Thread(
            () -> answer[0] = notes.answer(() -> observer.suspendThread(Thread.currentThread())),
            "actor self");
    thread.setDaemon(true);
    thread.start();
    awaitSuspended(thread);
    notes.note(
        "SuspendThread.self",
        () -> observer.getThreadState(thread),
        () -> observer.suspendThread(thread),
        () -> observer.resumeThread(thread));
    Actor.join(thread);
    notes.note("SuspendThread.selfAnswered", () -> String.valueOf(answer[0]));
  }

  private void awaitSuspended(Thread thread) {
    Eventually.isTrue(
        thread + " is suspended, and has come to where it stops",
        () ->
            (Integer.decode(observer.getThreadState(thread)) & (SUSPENDED | IN_NATIVE))
                == SUSPENDED);
  }

  private void lists() {
    Thread ended = Actor.ended();
    Thread unstarted = Actor.unstarted();
    try (Actor one = Actor.in(Place.PARK, "one");
        Actor two = Actor.in(Place.SPIN, "two")) {
      Thread a = one.thread();
      Thread b = two.thread();
      notes.note(
          "SuspendThreadList.two",
          () -> observer.suspendThreadList(a, b),
          () -> observer.getThreadState(a),
          () -> observer.getThreadState(b),
          () -> observer.suspendThreadList(b, a));
      notes.note(
          "ResumeThreadList.two",
          () -> observer.resumeThreadList(a, b),
          () -> observer.getThreadState(a),
          () -> observer.getThreadState(b),
          () -> observer.resumeThreadList(b, a));
      notes.note(
          "SuspendThreadList.someNotAlive",
          () -> observer.suspendThreadList(ended, a, unstarted, b),
          () -> observer.getThreadState(a));
      notes.note(
          "ResumeThreadList.someNotAlive",
          () -> observer.resumeThreadList(unstarted, b, ended, a),
          () -> observer.getThreadState(a));
      notes.note(
          "SuspendThreadList.oneAlready",
          () -> observer.suspendThread(a),
          () -> observer.suspendThreadList(a, b));
      notes.note(
          "ResumeThreadList.oneAlready",
          () -> observer.resumeThread(b),
          () -> observer.resumeThreadList(a, b));
    }
    notes.note("SuspendThreadList.none", () -> observer.suspendThreadList());
    notes.note("ResumeThreadList.none", () -> observer.resumeThreadList());
  }

  /** Who stands still can be looked at as before. */
  private void stacks() {
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      Thread thread = parked.thread();
      notes.note(
          "GetStackTrace.suspended",
          () -> observer.suspendThread(thread),
          () -> observer.getStackTrace(thread, 0, 100),
          () -> observer.getFrameCount(thread),
          () -> observer.resumeThread(thread));
    }
  }

  private void agentThreads() {
    agentThread("unstarted", Actor.unstarted(), 5);
    agentThread("lowest", Actor.unstarted(), 1);
    agentThread("highest", Actor.unstarted(), 10);
    agentThread("tooHigh", Actor.unstarted(), 11);
    agentThread("tooLow", Actor.unstarted(), 0);
    agentThread("ended", Actor.ended(), 5);
    agentThread("current", Thread.currentThread(), 5);
    if (Virtual.isHere()) {
      agentThread("virtualUnstarted", Virtual.unstarted(), 5);
    }
  }

  /** The thread tells what it is: an agent thread is a daemon, whatever it was before. */
  private void agentThread(String scenario, Thread thread, int priority) {
    @Nullable String[] seen = new String[1];
    Runnable body = () -> seen[0] = observer.getThreadInfo(Thread.currentThread());
    String answer = notes.answer(() -> observer.runAgentThread(thread, body, priority));
    if (thread != Thread.currentThread()) {
      Actor.join(thread);
    }
    notes.note("RunAgentThread." + scenario, () -> String.valueOf(answer), () -> "" + seen[0]);
  }

  private void virtual() {
    Actor actor = Actor.virtual(Place.PARK, "virtual parked");
    Thread thread = actor.thread();
    notes.note(
        "StopThread.virtualSuspended",
        () -> observer.suspendThread(thread),
        () -> observer.stopThread(thread, new ThreadScenes.Halt()),
        () -> observer.resumeThread(thread));
    notes.note(
        "SuspendThreadList.virtual",
        () -> observer.suspendThreadList(thread),
        () -> observer.getThreadState(thread),
        () -> observer.getFrameLocation(thread, 0),
        () -> observer.suspendThreadList(thread));
    notes.note(
        "ResumeThreadList.virtual",
        () -> observer.resumeThreadList(thread),
        () -> observer.getThreadState(thread),
        () -> observer.resumeThreadList(thread));
    suspended("virtualParked", actor);
    suspended("virtualSpinning", Actor.virtual(Place.SPIN, "virtual spinning"));
  }

  private void allVirtual() {
    try (Actor one = Actor.virtual(Place.PARK, "virtual one");
        Actor two = Actor.virtual(Place.PARK, "virtual two");
        Actor platform = Actor.in(Place.PARK, "platform")) {
      Thread a = one.thread();
      Thread b = two.thread();
      all("all", a, b);
      all("allButOne", a, b, b);
      all("allButBoth", a, b, a, b);
      all("allButPlatform", a, b, platform.thread());
      all("allButEnded", a, b, Virtual.ended());
      all("allButUnstarted", a, b, Virtual.unstarted());
      notes.note(
          "ResumeAllVirtualThreads.exceptOne",
          () -> observer.suspendAllVirtualThreads(),
          () -> observer.resumeAllVirtualThreads(a),
          () -> observer.getThreadState(a),
          () -> observer.getThreadState(b),
          () -> observer.resumeThread(a),
          () -> observer.getThreadState(a));
      notes.note(
          "ResumeAllVirtualThreads.suspendedOneByOne",
          () -> observer.suspendThread(a),
          () -> observer.resumeAllVirtualThreads(),
          () -> observer.getThreadState(a));
      notes.note(
          "ResumeAllVirtualThreads.exceptPlatform",
          () -> observer.resumeAllVirtualThreads(platform.thread()));
    }
  }

  private void all(String scenario, Thread a, Thread b, Thread... except) {
    notes.note(
        "SuspendAllVirtualThreads." + scenario,
        () -> observer.suspendAllVirtualThreads(except),
        () -> observer.getThreadState(a),
        () -> observer.getThreadState(b),
        () -> observer.suspendAllVirtualThreads(except));
    notes.note(
        "ResumeAllVirtualThreads." + scenario,
        () -> observer.resumeAllVirtualThreads(),
        () -> observer.getThreadState(a),
        () -> observer.getThreadState(b),
        () -> observer.resumeAllVirtualThreads());
  }
}
