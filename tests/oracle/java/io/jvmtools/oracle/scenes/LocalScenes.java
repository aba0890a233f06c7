package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.Eventually;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Local variables: of each kind, in each slot, where they are and where they are not. */
final class LocalScenes implements Scenes {

  /** Slots of {@link Holder}'s method, in which two take two. */
  private static final int NUMBER = 1;

  private static final int WIDE = 2;
  private static final int HALF = 4;
  private static final int REAL = 5;
  private static final int OBJECT = 7;
  private static final int LIST = 8;

  private static final List<Integer> SLOTS = List.of(-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 99, 70_000);

  private final Notes notes;
  private final Observer observer;

  LocalScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open("can_suspend", "can_access_local_variables");
  }

  @Override
  public void play() {
    if (notes.answer(() -> observer.resumeThread(Thread.currentThread())) == null) {
      return; // Java has none of it.
    }
    Holder holder = new Holder();
    Thread thread = new Thread(holder, "actor holder");
    thread.setDaemon(true);
    thread.start();
    int depth = holder.depth(thread, observer);
    running("running", thread, depth);
    Notes.require("NONE", observer.suspendThread(thread));
    reading("", thread, depth);
    places(thread, depth);
    tables(thread, depth);
    writing(thread, depth);
    Notes.require("NONE", observer.resumeThread(thread));
    holder.letGo(thread);
    own(41, 42L, 4.5f, 5.5, "own");
    if (Virtual.isHere()) {
      virtual();
    }
    notes.answer(observer::disposeEnvironment);
  }

  /** Each kind is asked for in each slot: most of them hold something else. */
  private void reading(String suffix, Thread thread, int depth) {
    each("GetLocalObject.slot" + suffix, slot -> observer.getLocalObject(thread, depth, slot));
    each("GetLocalInt.slot" + suffix, slot -> observer.getLocalInt(thread, depth, slot));
    each("GetLocalLong.slot" + suffix, slot -> observer.getLocalLong(thread, depth, slot));
    each("GetLocalFloat.slot" + suffix, slot -> observer.getLocalFloat(thread, depth, slot));
    each("GetLocalDouble.slot" + suffix, slot -> observer.getLocalDouble(thread, depth, slot));
    notes.note("GetLocalInstance.holder" + suffix, () -> observer.getLocalInstance(thread, depth));
  }

  private void each(String scenario, IntFunction<String> question) {
    for (int slot : SLOTS) {
      notes.note((scenario + slot).replace("-1", "Negative"), () -> question.apply(slot));
    }
  }

  private void running(String scenario, Thread thread, int depth) {
    notes.note("GetLocalObject." + scenario, () -> observer.getLocalObject(thread, depth, OBJECT));
    notes.note("GetLocalInstance." + scenario, () -> observer.getLocalInstance(thread, depth));
    notes.note("GetLocalInt." + scenario, () -> observer.getLocalInt(thread, depth, NUMBER));
    notes.note("SetLocalInt." + scenario, () -> observer.setLocalInt(thread, depth, NUMBER, 1));
  }

  /** Where there is no such variable: in a native method, below the stack, above it. */
  private void places(Thread thread, int depth) {
    for (int at : new int[] {0, depth, 1_000, Integer.MAX_VALUE, -1}) {
      String where = at == -1 ? "Negative" : at == depth ? "Holder" : String.valueOf(at);
      notes.note("GetLocalObject.at" + where, () -> observer.getLocalObject(thread, at, OBJECT));
      notes.note("GetLocalInstance.at" + where, () -> observer.getLocalInstance(thread, at));
      notes.note("GetLocalInt.at" + where, () -> observer.getLocalInt(thread, at, NUMBER));
      notes.note("GetLocalLong.at" + where, () -> observer.getLocalLong(thread, at, WIDE));
      notes.note("GetLocalFloat.at" + where, () -> observer.getLocalFloat(thread, at, HALF));
      notes.note("GetLocalDouble.at" + where, () -> observer.getLocalDouble(thread, at, REAL));
      notes.note(
          "SetLocalObject.at" + where,
          () -> observer.setLocalObject(thread, at, OBJECT, Names.object("other")));
      notes.note("SetLocalInt.at" + where, () -> observer.setLocalInt(thread, at, NUMBER, 8));
      notes.note("SetLocalLong.at" + where, () -> observer.setLocalLong(thread, at, WIDE, 8));
      notes.note("SetLocalFloat.at" + where, () -> observer.setLocalFloat(thread, at, HALF, 8));
      notes.note("SetLocalDouble.at" + where, () -> observer.setLocalDouble(thread, at, REAL, 8));
    }
    // One that nobody has started, and one that has no receiver.
    Thread unstarted = Actor.unstarted();
    notes.note("GetLocalInstance.ofNoFrame", () -> observer.getLocalInstance(unstarted, 0));
    notes.note("GetLocalInstance.ofAStaticMethod", () -> inStatic(observer));
  }

  private static String inStatic(Observer observer) {
    return observer.getLocalInstance(Thread.currentThread(), 1);
  }

  private void tables(Thread thread, int depth) {
    for (int at : new int[] {0, 1, depth, depth + 1, 1_000, -1}) {
      String where = String.valueOf(at - depth).replace("-", "Minus");
      notes.note(
          "GetLocalVariableTable.at" + where, () -> observer.getLocalVariableTable(thread, at));
    }
  }

  /** What is written is read again. */
  private void writing(Thread thread, int depth) {
    Object text = "a text";
    each(
        "SetLocalObject.slot",
        slot ->
            slot == LIST
                ? observer.setLocalObject(thread, depth, slot, List.of())
                : observer.setLocalObject(thread, depth, slot, text));
    notes.note("SetLocalObject.written", () -> observer.getLocalObject(thread, depth, OBJECT));
    notes.note("SetLocalObject.mismatch", () -> observer.setLocalObject(thread, depth, LIST, text));
    notes.note("SetLocalObject.null", () -> observer.setLocalObject(thread, depth, OBJECT, null));
    each("SetLocalInt.slot", slot -> observer.setLocalInt(thread, depth, slot, -1));
    each("SetLocalLong.slot", slot -> observer.setLocalLong(thread, depth, slot, 1L << 40));
    each("SetLocalFloat.slot", slot -> observer.setLocalFloat(thread, depth, slot, -1));
    each("SetLocalDouble.slot", slot -> observer.setLocalDouble(thread, depth, slot, -1));
    reading("Again", thread, depth);
  }

  private void own(int number, long wide, float half, double real, Object object) {
    Thread me = Thread.currentThread();
    notes.note("GetLocalObject.own", () -> inner(() -> observer.getLocalObject(me, 0, 0)));
    // The native, or the method that takes its place; then this one.
    String answers =
        observer.getLocalInt(me, 1, NUMBER)
            + observer.getLocalLong(me, 1, WIDE)
            + observer.getLocalFloat(me, 1, HALF)
            + observer.getLocalDouble(me, 1, REAL)
            + observer.getLocalObject(me, 1, OBJECT)
            + observer.getLocalInstance(me, 1).startsWith("a " + LocalScenes.class.getName());
    notes.note("GetLocalInt.own", () -> answers);
    String written = observer.setLocalInt(me, 1, NUMBER, 43);
    written += observer.setLocalLong(me, 1, WIDE, 44);
    written += observer.setLocalFloat(me, 1, HALF, 6);
    written += observer.setLocalDouble(me, 1, REAL, 7);
    written += observer.setLocalObject(me, 1, OBJECT, "written");
    String now = written + number + " " + wide + " " + half + " " + real + " " + object;
    notes.note("SetLocalInt.own", () -> now);
  }

  private static String inner(Supplier<String> question) {
    String answer = question.get();
    // A native has no variables, and Java that stands for it has others.
    return answer.equals("OPAQUE_FRAME") || answer.startsWith("a ") ? "its own" : answer;
  }

  private void virtual() {
    Holder holder = new Holder();
    Thread thread = Virtual.start("actor virtual holder", holder);
    int depth = holder.depth(thread, observer);
    running("virtualRunning", thread, depth);
    Notes.require("NONE", observer.suspendThread(thread));
    reading("Virtual", thread, depth);
    notes.note(
        "SetLocalObject.virtual", () -> observer.setLocalObject(thread, depth, OBJECT, "other"));
    notes.note("SetLocalInt.virtual", () -> observer.setLocalInt(thread, depth, NUMBER, 8));
    notes.note("SetLocalLong.virtual", () -> observer.setLocalLong(thread, depth, WIDE, 8));
    notes.note("SetLocalFloat.virtual", () -> observer.setLocalFloat(thread, depth, HALF, 8));
    notes.note("SetLocalDouble.virtual", () -> observer.setLocalDouble(thread, depth, REAL, 8));
    Notes.require("NONE", observer.resumeThread(thread));
    holder.letGo(thread);
  }

  /** Holds a value of each kind while it is parked. */
  private static final class Holder implements Runnable {

    private final CountDownLatch inside = new CountDownLatch(1);
    private volatile boolean over;

    @Override
    public void run() {
      hold(1, 2L, 3.5f, 4.5, "an object", List.of("an element"));
    }

    private int hold(
        int number, long wide, float half, double real, Object object, List<String> list) {
      while (!over) {
        inside.countDown();
        LockSupport.park(this);
      }
      return (number + wide + half + real + "" + object + list).length();
    }

    /** The depth of its frame, once it is parked: Java does not show each frame of it. */
    int depth(Thread thread, Observer observer) {
      Eventually.isTrue(
          thread + " is parked", () -> thread.getState() == Thread.State.WAITING && isInside());
      List<String> frames = List.of(observer.getStackTrace(thread, 0, 100).split(" < "));
      return frames.indexOf(
          frames.stream().filter(frame -> frame.contains(".hold:")).findFirst().orElseThrow());
    }

    private boolean isInside() {
      return inside.getCount() == 0;
    }

    void letGo(Thread thread) {
      over = true;
      LockSupport.unpark(thread);
      Actor.join(thread);
    }
  }
}
