package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.Eventually;
import java.util.ArrayList;
import java.util.List;

/** Every kind of thread, signals to threads, and what an environment keeps for them. */
final class ThreadScenes implements Scenes {

  private static final String[] CAPABILITIES = {
    "can_get_owned_monitor_info",
    "can_get_owned_monitor_stack_depth_info",
    "can_get_current_contended_monitor",
    "can_get_thread_cpu_time",
    "can_signal_thread",
    "can_suspend"
  };

  private final Notes notes;
  private final Observer.Source source;

  ThreadScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    Observer observer = source.open(CAPABILITIES);
    notAlive(observer, "unstarted", Actor.unstarted());
    notAlive(observer, "ended", Actor.ended());
    platform(observer);
    if (Virtual.isHere()) {
      notAlive(observer, "virtualUnstarted", Virtual.unstarted());
      notAlive(observer, "virtualEnded", Virtual.ended());
      virtual(observer);
    }
    info(observer);
    lists(observer);
    interrupts(observer);
    stops(observer);
    notes.answer(observer::disposeEnvironment);
    storage();
  }

  private void notAlive(Observer observer, String scenario, Thread thread) {
    Call.note(notes, scenario, Call.onThread(thread), observer);
    Call.note(notes, scenario, Call.againstThread(thread), observer);
  }

  private void platform(Observer observer) {
    Object monitor = Names.object("monitor");
    try (Actor parked = Actor.in(Place.PARK, "parked");
        Actor timed = Actor.in(Place.TIMED_PARK, "timed park");
        Actor asleep = Actor.in(Place.SLEEP, "asleep");
        Actor waiting = Actor.in(Place.WAIT, "waiting", monitor);
        Actor owner = Actor.in(Place.PARK, "owner", monitor);
        Actor blocked = Actor.in(Place.BLOCKED, "blocked", monitor)) {
      Call.note(notes, "parked", Call.onThread(parked.thread()), observer);
      Call.note(notes, "timedPark", Call.onThread(timed.thread()), observer);
      Call.note(notes, "asleep", Call.onThread(asleep.thread()), observer);
      Call.note(notes, "waiting", Call.onThread(waiting.thread()), observer);
      Call.note(notes, "owner", Call.onThread(owner.thread()), observer);
      // It is let in when the owner ends, which is closed after it.
      Call.note(notes, "blocked", Call.onThread(blocked.thread()), observer);
      owner.letGo();
    }
    Call.note(notes, "current", Call.onThread(Thread.currentThread()), observer);
    try (Actor spinning = Actor.in(Place.SPIN, "spinning")) {
      notes.note("GetThreadState.spinning", () -> observer.getThreadState(spinning.thread()));
      notes.note("GetFrameCount.spinning", () -> observer.getFrameCount(spinning.thread()));
      spinning.thread().interrupt();
      notes.note("GetThreadState.interrupted", () -> observer.getThreadState(spinning.thread()));
    }
    notes.note("GetCurrentThread.main", observer::getCurrentThread);
    Thread other =
        new Thread(
            () -> notes.note("GetCurrentThread.other", observer::getCurrentThread), "actor other");
    other.start();
    Actor.join(other);
  }

  private void virtual(Observer observer) {
    try (Actor parked = Actor.virtual(Place.PARK, "virtual parked")) {
      Call.note(notes, "virtualParked", Call.onThread(parked.thread()), observer);
    }
    try (Actor spinning = Actor.virtual(Place.SPIN, "virtual spinning")) {
      notes.note(
          "GetThreadState.virtualSpinning", () -> observer.getThreadState(spinning.thread()));
      notes.note("GetFrameCount.virtualSpinning", () -> observer.getFrameCount(spinning.thread()));
      Thread carrier = carrier();
      notes.note("GetThreadState.carrier", () -> observer.getThreadState(carrier));
      notes.note("GetStackTrace.carrier", () -> observer.getStackTrace(carrier, 0, 2));
    }
    Virtual.run(
        () -> Call.note(notes, "virtualCurrent", Call.onThread(Thread.currentThread()), observer));
    Virtual.run(() -> notes.note("GetCurrentThread.virtual", observer::getCurrentThread));
  }

  /** The thread that carries the one virtual thread that runs: the scheduler has no other. */
  private static Thread carrier() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ForkJoinPool-1-worker-"))
        .findFirst()
        .orElseThrow();
  }

  private void info(Observer observer) {
    ThreadGroup group = new ThreadGroup("inner");
    Thread thread = new Thread(group, () -> {}, "named");
    thread.setPriority(7);
    thread.setDaemon(true);
    notes.note("GetThreadInfo.priorityAndGroup", () -> observer.getThreadInfo(thread));
    thread.setContextClassLoader(null);
    notes.note("GetThreadInfo.noLoader", () -> observer.getThreadInfo(thread));
    for (String name : List.of("", "\u00e4\u6f22\ud83d\ude00 \ud800 \0 end", "x".repeat(5_000))) {
      thread.setName(name);
      notes.note("GetThreadInfo.name" + name.length(), () -> observer.getThreadInfo(thread));
    }
  }

  private void lists(Observer observer) {
    List<Actor> actors = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      actors.add(Actor.in(Place.PARK, "number " + i));
    }
    notes.note("GetAllThreads.twentyMore", () -> Call.actors(observer.getAllThreads()));
    actors.forEach(Actor::close);
    notes.note("GetAllThreads.ended", () -> Call.actors(observer.getAllThreads()));
    if (Virtual.isHere()) {
      try (Actor parked = Actor.virtual(Place.PARK, "virtual parked")) {
        notes.note("GetAllThreads.virtual", () -> Call.actors(observer.getAllThreads()));
        Notes.require("true", String.valueOf(parked.thread().isAlive()));
      }
    }
    Thread inside =
        new Thread(
            () ->
                notes.note("GetAllThreads.fromInside", () -> Call.actors(observer.getAllThreads())),
            "actor inside");
    inside.start();
    Actor.join(inside);
  }

  private void interrupts(Observer observer) {
    try (Actor spinning = Actor.in(Place.SPIN, "spinning")) {
      Thread thread = spinning.thread();
      notes.note(
          "InterruptThread.spinning",
          () -> observer.interruptThread(thread),
          () -> String.valueOf(thread.isInterrupted()),
          () -> observer.interruptThread(thread));
    }
    try (Actor asleep = Actor.in(Place.SLEEP, "asleep")) {
      Thread thread = asleep.thread();
      notes.note("InterruptThread.asleep", () -> observer.interruptThread(thread));
      Actor.join(thread);
    }
    notes.note(
        "InterruptThread.current",
        () -> observer.interruptThread(Thread.currentThread()),
        () -> String.valueOf(Thread.interrupted()));
    if (Virtual.isHere()) {
      try (Actor parked = Actor.virtual(Place.PARK, "virtual parked")) {
        notes.note(
            "InterruptThread.virtualParked",
            () -> observer.interruptThread(parked.thread()),
            () -> String.valueOf(parked.thread().isInterrupted()));
      }
    }
  }

  private void stops(Observer observer) {
    try (Actor spinning = Actor.in(Place.SPIN, "spinning")) {
      if (notes.note(
              "StopThread.spinning", () -> observer.stopThread(spinning.thread(), new Halt()))
          != null) {
        notes.note("StopThread.whatItThrew", spinning::failure);
      }
    }
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      if (notes.answer(() -> observer.stopThread(parked.thread(), new Halt())) != null) {
        notes.note("StopThread.parked", parked::failure);
      }
    }
    if (notes.answer(observer::getPhase) != null) {
      notes.note(
          "StopThread.current",
          () -> stopSelf(observer),
          () -> String.valueOf(Thread.interrupted()));
    }
    if (Virtual.isHere()) {
      try (Actor parked = Actor.virtual(Place.PARK, "virtual parked")) {
        notes.note(
            "StopThread.virtualParked", () -> observer.stopThread(parked.thread(), new Halt()));
      }
    }
  }

  private static String stopSelf(Observer observer) {
    try {
      String answer = observer.stopThread(Thread.currentThread(), new Halt());
      Eventually.isTrue("the exception came", () -> false);
      return answer;
    } catch (Halt halt) {
      return halt.toString();
    }
  }

  private void storage() {
    Observer one = source.open();
    Observer two = source.open();
    try (Actor parked = Actor.in(Place.PARK, "parked")) {
      List<Thread> threads = new ArrayList<>(List.of(parked.thread(), Thread.currentThread()));
      for (Thread thread : threads) {
        for (long value : new long[] {1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0}) {
          notes.note(
              "SetThreadLocalStorage." + Names.of(thread).replace(' ', '-') + value,
              () -> one.setThreadLocalStorage(thread, value),
              () -> one.getThreadLocalStorage(thread));
        }
        notes.note(
            "GetThreadLocalStorage.perEnvironment-" + Names.of(thread).replace(' ', '-'),
            () -> one.setThreadLocalStorage(thread, 77),
            () -> two.getThreadLocalStorage(thread),
            () -> two.setThreadLocalStorage(thread, 78),
            () -> one.getThreadLocalStorage(thread),
            () -> two.getThreadLocalStorage(thread));
      }
    }
    Thread main = Thread.currentThread();
    Thread other =
        new Thread(
            () ->
                notes.note(
                    "GetThreadLocalStorage.fromOutside", () -> one.getThreadLocalStorage(main)));
    other.start();
    Actor.join(other);
    notes.answer(one::disposeEnvironment);
    notes.note("GetThreadLocalStorage.otherDisposed", () -> two.getThreadLocalStorage(main));
    notes.answer(two::disposeEnvironment);
  }

  /** What scenarios throw into threads. */
  static final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      return "halt";
    }
  }
}
