package io.jvmtools.oracle;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.vm.Vm;
import io.jvmtools.support.Installation;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the VM answer references about every kind of thread, and prints how many of them were the
 * caller's: {@code kind<TAB>function<TAB>local<TAB>other}.
 */
final class References {

  /** What kind of thread was asked about. */
  enum Kind {
    /** It owns a monitor and is blocked on another one. */
    PLATFORM,
    /** It asks about itself, and owns a monitor. */
    CURRENT,
    /** A virtual thread that owns a monitor and is blocked on another one. */
    VIRTUAL_BLOCKED,
    /** A virtual thread that owns a monitor and runs. */
    VIRTUAL_MOUNTED,
    /** A virtual thread that is parked, and owns a monitor if that does not keep it mounted. */
    VIRTUAL_UNMOUNTED,
    /** A virtual thread that asks about itself, and owns a monitor. */
    VIRTUAL_CURRENT
  }

  /** Whether a virtual thread that owns a monitor can leave its carrier: JEP 491. */
  static final boolean MONITORS_UNMOUNT = Installation.feature() >= 24;

  private final Vm vm =
      new Vm(
          "can_get_owned_monitor_info",
          "can_get_owned_monitor_stack_depth_info",
          "can_get_current_contended_monitor",
          "can_get_monitor_info",
          "can_access_local_variables",
          "can_tag_objects",
          "can_suspend",
          "can_get_thread_cpu_time");
  private final ThreadGroup main = Thread.currentThread().getThreadGroup();
  private final Object wanted = Names.object("wanted");
  private final List<Actor> actors = new ArrayList<>();

  private References() {}

  /** The functions that have answered references since, with their numbers. */
  private static native String answered();

  private static native String getLocalObject(Vm vm, Thread thread);

  private static native String getLocalInstance(Vm vm, Thread thread);

  private static native String getClassLoader(Vm vm, Class<?> type);

  private static native String getMethodDeclaringClass(Vm vm);

  /** Plays all of it. */
  public static void main(String[] args) {
    new References().play();
  }

  private void play() {
    synchronized (wanted) {
      about(Kind.PLATFORM, Actor.in(Place.BLOCKED, "platform", own(), wanted));
      aboutTheCurrentThread(Kind.CURRENT);
      if (Virtual.isHere()) {
        about(Kind.VIRTUAL_BLOCKED, Actor.virtual(Place.BLOCKED, "blocked", own(), wanted));
        about(Kind.VIRTUAL_MOUNTED, Actor.virtual(Place.SPIN, "mounted", own()));
        about(Kind.VIRTUAL_UNMOUNTED, Actor.virtual(Place.PARK, "unmounted", ownUnmounted()));
        Virtual.run(
            () -> {
              synchronized (own()) {
                aboutTheCurrentThread(Kind.VIRTUAL_CURRENT);
              }
            });
      }
    }
    actors.forEach(Actor::letGo);
  }

  private static Object own() {
    return Names.object("own");
  }

  private static Object[] ownUnmounted() {
    return MONITORS_UNMOUNT ? new Object[] {own()} : new Object[0];
  }

  private void about(Kind kind, Actor actor) {
    actors.add(actor);
    Call.onThread(actor.thread()).forEach(call -> call.answer(vm));
    Notes.require("NONE", vm.suspendThread(actor.thread()));
    locals(actor.thread());
    Notes.require("NONE", vm.resumeThread(actor.thread()));
    print(kind);
  }

  private void aboutTheCurrentThread(Kind kind) {
    Call.looking(Thread.currentThread(), wanted, main).forEach(call -> call.answer(vm));
    locals(Thread.currentThread());
    getClassLoader(vm, References.class);
    getMethodDeclaringClass(vm);
    print(kind);
  }

  private void locals(Thread thread) {
    getLocalObject(vm, thread);
    getLocalInstance(vm, thread);
  }

  private static void print(Kind kind) {
    for (String row : answered().split(",")) {
      System.out.println(kind + "\t" + row.replace(' ', '\t'));
    }
  }
}
