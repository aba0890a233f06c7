package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Actor.Place;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** Thread groups. */
final class ThreadGroupScenes implements Scenes {

  private final Notes notes;
  private final Observer observer;

  ThreadGroupScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open();
  }

  @Override
  public void play() {
    ThreadGroup main = Thread.currentThread().getThreadGroup();
    ThreadGroup outer = new ThreadGroup("outer");
    ThreadGroup inner = new ThreadGroup(outer, "inner");
    ThreadGroup second = new ThreadGroup(outer, "second");
    outer.setMaxPriority(4);
    notes.note("GetTopThreadGroups.main", observer::getTopThreadGroups);
    info("system", main.getParent());
    info("main", main);
    info("outer", outer);
    info("inner", inner);
    children("empty", inner);
    Thread unstarted = new Thread(inner, () -> {}, "actor unstarted");
    children("unstarted", unstarted.getThreadGroup());
    try (Actor one = Actor.in(Place.PARK, "one")) {
      notes.note(
          "GetThreadGroupChildren.main",
          () -> ofMain(observer.getThreadGroupChildren(main), one.thread().getName()));
    }
    Thread inside =
        new Thread(
            inner,
            () -> {
              children("withThread", inner);
              children("withGroups", outer);
              notes.note("GetTopThreadGroups.inside", observer::getTopThreadGroups);
            },
            "actor inside");
    inside.start();
    Actor.join(inside);
    children("ended", inner);
    children("second", second);
    if (Virtual.isHere()) {
      try (Actor actor = Actor.virtual(Place.PARK, "virtual")) {
        info("virtual", actor.thread().getThreadGroup());
        children("virtual", actor.thread().getThreadGroup());
      }
    }
    notes.answer(observer::disposeEnvironment);
  }

  private void info(String scenario, ThreadGroup group) {
    notes.note("GetThreadGroupInfo." + scenario, () -> observer.getThreadGroupInfo(group));
  }

  private void children(String scenario, ThreadGroup group) {
    notes.note("GetThreadGroupChildren." + scenario, () -> observer.getThreadGroupChildren(group));
  }

  /** Of the group that others use, too, only whether the thread is in it. */
  private static String ofMain(String children, String thread) {
    return String.valueOf(children.contains(thread));
  }
}
