package io.jvmtools.oracle.events;

import io.jvmtools.event.EventType;
import io.jvmtools.oracle.actors.Virtual;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Plays every scene for one side, and prints what it was told. */
public final class EventsPlayed {

  private static final String ACTOR = "event actor";

  /** Which nobody can play, or not among others: {@code EarlyEventsTest}, {@code ListenersTest}. */
  private static final Set<String> BEGINNING_AND_END = Set.of("VMStart", "VMInit", "VMDeath");

  private EventsPlayed() {}

  public static void main(String[] args) throws Exception {
    Recorder recorder = args[0].equals("vm") ? new VmRecorder() : new OurRecorder();
    for (KindOfEvent event : kinds()) {
      List<String> told = play(event, recorder);
      System.out.println("EVENT " + event.name() + " " + told);
    }
  }

  /** Those that can be played. */
  static List<KindOfEvent> kinds() {
    List<KindOfEvent> kinds = new ArrayList<>();
    for (KindOfEvent event : KindOfEvent.all()) {
      if (OurRecorder.kinds().containsKey(event.name()) && !isElsewhere(event.name())) {
        kinds.add(event);
      }
    }
    return kinds;
  }

  /** Whether other tests tell of it. */
  static boolean isElsewhere(String name) {
    EventType<?> type = OurRecorder.kinds().get(name);
    // Of what is recorded nobody knows the thread: RecordedEventsTest.
    return BEGINNING_AND_END.contains(name) || (type != null && type.isRecorded());
  }

  /** Plays the scene of one kind. */
  static List<String> play(KindOfEvent event, Recorder recorder) throws Exception {
    EventScenes.Scene scene = EventScenes.of(event.name());
    CountDownLatch go = new CountDownLatch(1);
    Throwable[] failure = new Throwable[1];
    Runnable body =
        () -> {
          try {
            go.await();
            scene.play(recorder);
          } catch (Throwable thrown) {
            failure[0] = thrown;
          }
        };
    Thread actor;
    if (event.isOfVirtualThreads() && event.byThread()) {
      actor = Virtual.start(ACTOR, body);
      recorder.begin(event, actor);
    } else if (event.isOfVirtualThreads()) {
      recorder.begin(event, new Thread(ACTOR));
      actor = Virtual.start(ACTOR, body);
    } else {
      actor = new Thread(body, ACTOR);
      // If nobody can begin to listen, it waits for nobody.
      actor.setDaemon(true);
      if (event.byThread()) {
        actor.start();
        recorder.begin(event, actor);
      } else {
        recorder.begin(event, actor);
        actor.start();
      }
    }
    go.countDown();
    scene.beside(actor);
    actor.join();
    if (failure[0] != null) {
      throw new IllegalStateException(event.name(), failure[0]);
    }
    return recorder.end();
  }
}
