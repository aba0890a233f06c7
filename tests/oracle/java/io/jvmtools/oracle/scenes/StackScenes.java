package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** Stacks: parts of them, their ends, deep ones, several at once, one's own. */
final class StackScenes implements Scenes {

  private static final int ALL = 100_000;

  private final Notes notes;
  private final Observer observer;

  StackScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open();
  }

  @Override
  public void play() {
    try (Actor deep = Actor.deep(20, "deep");
        Actor deeper = Actor.deep(1_500, "deeper");
        Actor hidden = Actor.underLambda("hidden")) {
      parts(deep.thread());
      locations(deep.thread());
      whole("deep", deep.thread());
      whole("deeper", deeper.thread());
      trace("whole-hidden", hidden.thread(), 0, ALL);
      lists(deep.thread(), deeper.thread());
      if (Virtual.isHere()) {
        virtual(deep.thread());
      }
    }
    own();
    notes.answer(observer::disposeEnvironment);
  }

  private void trace(String scenario, Thread thread, int start, int max) {
    notes.note("GetStackTrace." + scenario, () -> observer.getStackTrace(thread, start, max));
  }

  private void location(String scenario, Thread thread, int depth) {
    notes.note("GetFrameLocation." + scenario, () -> observer.getFrameLocation(thread, depth));
  }

  private void whole(String scenario, Thread thread) {
    trace("whole-" + scenario, thread, 0, ALL);
    notes.note("GetFrameCount.whole-" + scenario, () -> observer.getFrameCount(thread));
  }

  private void parts(Thread thread) {
    trace("top", thread, 0, 1);
    trace("middle", thread, 3, 4);
    trace("middleToTheEnd", thread, 3, ALL);
    int depth = depth(thread);
    trace("last", thread, depth - 1, 5);
    trace("pastTheLast", thread, depth, 5);
    trace("farPastTheLast", thread, Integer.MAX_VALUE, 5);
    trace("fromTheBottom", thread, -2, 5);
    trace("fromBelowTheBottom", thread, -1_000, 5);
    trace("noFrames", thread, 0, 0);
    trace("fewerThanNoFrames", thread, 0, -1);
  }

  /** Since 21 one frame of each thread is hidden from Java. */
  private static int depth(Thread thread) {
    return thread.getStackTrace().length + (Virtual.isHere() ? 1 : 0);
  }

  private void locations(Thread thread) {
    int depth = depth(thread);
    location("native", thread, 0);
    location("second", thread, 1);
    location("last", thread, depth - 1);
    location("pastTheLast", thread, depth);
    location("farPastTheLast", thread, Integer.MAX_VALUE);
    location("negative", thread, -1);
  }

  private void list(String scenario, int max, Thread... threads) {
    notes.note(
        "GetThreadListStackTraces." + scenario,
        () -> observer.getThreadListStackTraces(threads, max));
  }

  private void all(String scenario, int max) {
    notes.note(
        "GetAllStackTraces." + scenario, () -> Call.actorStacks(observer.getAllStackTraces(max)));
  }

  private void lists(Thread deep, Thread deeper) {
    Thread unstarted = Actor.unstarted();
    Thread ended = Actor.ended();
    list("two", ALL, deep, deeper);
    list("twice", 3, deep, deep);
    list("someNotAlive", 3, ended, deep, unstarted);
    list("allNotAlive", 3, ended, unstarted);
    list("oneUnstarted", 3, unstarted);
    list("oneEnded", 3, ended);
    list("one", 2, deeper);
    list("none", 3);
    list("noFrames", 0, deep);
    list("fewerThanNoFrames", -1, deep);
    list("withOneself", 4, deep, Thread.currentThread());
    all("whole", ALL);
    all("top", 1);
    all("asDeepAsOne", 24);
    all("noFrames", 0);
    all("fewerThanNoFrames", -1);
  }

  private void virtual(Thread deep) {
    try (Actor parked = Actor.virtual(Place.PARK, "virtual parked")) {
      Thread thread = parked.thread();
      whole("virtual", thread);
      trace("virtualMiddle", thread, 2, 2);
      trace("virtualPastTheLast", thread, 1_000, 2);
      // No negative start here: on a virtual thread that is not mounted it crashes the VM.
      location("virtualTop", thread, 0);
      location("virtualPastTheLast", thread, 1_000);
      list("virtual", ALL, thread, deep, Virtual.unstarted());
      list("oneVirtual", ALL, thread);
      list("oneVirtualEnded", ALL, Virtual.ended());
      all("withoutVirtual", 1);
    }
  }

  /** Depth 0 is the observer itself, depth 1 the scenario. */
  private void own() {
    Thread current = Thread.currentThread();
    trace("own", current, 0, ALL);
    trace("ownMiddle", current, 1, 2);
    trace("ownPastTheLast", current, 1_000, 2);
    location("own", current, 0);
    location("ownSecond", current, 1);
    location("ownPastTheLast", current, 1_000);
    location("ownNegative", current, -1);
    notes.note("GetFrameCount.own", () -> observer.getFrameCount(current));
    notes.note("GetFrameCount.ownDeeper", () -> countDeeper(50));
    notes.note(
        "GetAllStackTraces.own",
        () -> Notes.only(observer.getAllStackTraces(5), "; ", stack -> stack.startsWith("main ")));
    notes.note("GetStackTrace.ownDeeper", () -> traceDeeper(600));
  }

  private String countDeeper(int calls) {
    return calls == 0 ? observer.getFrameCount(Thread.currentThread()) : countDeeper(calls - 1);
  }

  private String traceDeeper(int calls) {
    return calls == 0
        ? observer.getStackTrace(Thread.currentThread(), 0, ALL)
        : traceDeeper(calls - 1);
  }
}
