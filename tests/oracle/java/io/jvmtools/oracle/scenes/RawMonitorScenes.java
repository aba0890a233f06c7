package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Raw monitors: owned or not, once or twice, contended, awaited, destroyed. */
final class RawMonitorScenes implements Scenes {

  /** As long as nobody waits who is woken. */
  private static final long LONG = 60_000;

  private final Notes notes;
  private final Observer observer;

  RawMonitorScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open();
  }

  @Override
  public void play() {
    names();
    unowned();
    entered();
    contended();
    waits();
    signals();
    destroyed();
    notes.answer(observer::disposeEnvironment);
  }

  private void names() {
    notes.note("CreateRawMonitor.noName", () -> observer.createRawMonitor(""));
    notes.note("CreateRawMonitor.oddName", () -> observer.createRawMonitor("\0\ud83d\ude00 %s"));
    notes.note(
        "CreateRawMonitor.longName", () -> observer.createRawMonitor("monitor".repeat(10_000)));
    notes.note(
        "CreateRawMonitor.sameName",
        () -> observer.createRawMonitor("same"),
        () -> observer.createRawMonitor("same"));
  }

  private void unowned() {
    notes.note("RawMonitorWait.unowned", () -> observer.rawMonitorWait("free", 1));
    notes.note("RawMonitorNotify.unowned", () -> observer.rawMonitorNotify("free"));
    notes.note("RawMonitorNotifyAll.unowned", () -> observer.rawMonitorNotifyAll("free"));
    notes.note(
        "RawMonitorWait.left",
        () -> observer.rawMonitorEnter("left", () -> {}),
        () -> observer.rawMonitorWait("left", 1));
    notes.note(
        "RawMonitorNotify.ownedByAnother",
        () -> whileOwnedByAnother("others", () -> observer.rawMonitorNotify("others")));
    notes.note(
        "RawMonitorNotifyAll.ownedByAnother",
        () -> whileOwnedByAnother("others", () -> observer.rawMonitorNotifyAll("others")));
    notes.note(
        "RawMonitorWait.ownedByAnother",
        () -> whileOwnedByAnother("others", () -> observer.rawMonitorWait("others", 1)));
  }

  private void entered() {
    inside("once", said -> said.add("entered"));
    inside(
        "twice",
        said -> {
          said.add(observer.rawMonitorEnter("twice", () -> said.add("entered twice")));
          // It is owned still.
          said.add(observer.rawMonitorNotify("twice"));
        });
    inside("outer", said -> said.add(observer.rawMonitorEnter("inner", () -> {})));
    if (Virtual.isHere()) {
      Virtual.run(() -> inside("byVirtual", said -> said.add("entered")));
    }
  }

  /** Once for entering and once for leaving. */
  private void inside(String monitor, Consumer<List<String>> action) {
    List<String> said = new Vector<>();
    notes.note(
        "RawMonitorEnter." + monitor,
        () -> observer.rawMonitorEnter(monitor, () -> action.accept(said)),
        said::toString);
    notes.note(
        "RawMonitorExit." + monitor,
        () -> observer.rawMonitorExit(monitor, () -> action.accept(said)),
        said::toString);
  }

  private void contended() {
    List<String> order = new Vector<>();
    CountDownLatch owned = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Thread owner =
        start(
            () ->
                observer.rawMonitorEnter(
                    "contended",
                    () -> {
                      owned.countDown();
                      await(letGo);
                      order.add("the owner");
                    }));
    await(owned);
    Thread next = start(() -> observer.rawMonitorEnter("contended", () -> order.add("the next")));
    letGo.countDown();
    Actor.join(owner);
    Actor.join(next);
    notes.note("RawMonitorEnter.contended", order::toString);
  }

  private void waits() {
    notes.note(
        "RawMonitorWait.timedOut", () -> held("timed", () -> observer.rawMonitorWait("timed", 1)));
    notes.note(
        "RawMonitorWait.ownedTwice",
        () -> held("deep", () -> held("deep", () -> observer.rawMonitorWait("deep", 1))));
    notes.note(
        "RawMonitorExit.afterWait",
        () -> observer.rawMonitorExit("waited", () -> observer.rawMonitorWait("waited", 1)));
    notes.note("RawMonitorWait.interruptedBefore", this::interruptedBefore);
    notes.note(
        "RawMonitorWait.interrupted",
        () -> {
          Waiter waiter = new Waiter("interrupted", 1);
          waiter.thread.interrupt();
          return waiter.end();
        });
    notes.note(
        "RawMonitorWait.signalled",
        () -> {
          Waiter waiter = new Waiter("signalled", 2);
          String signal = held("signalled", () -> observer.rawMonitorNotify("signalled"));
          return signal + ", " + waiter.end();
        });
  }

  private String interruptedBefore() {
    return held(
        "early",
        () -> {
          Thread.currentThread().interrupt();
          String end = observer.rawMonitorWait("early", LONG);
          return end + ", still interrupted: " + Thread.interrupted();
        });
  }

  private void signals() {
    notes.note(
        "RawMonitorNotify.nobodyWaits",
        () -> held("empty", () -> observer.rawMonitorNotify("empty")));
    notes.note(
        "RawMonitorNotifyAll.nobodyWaits",
        () -> held("empty", () -> observer.rawMonitorNotifyAll("empty")));
    notes.note(
        "RawMonitorNotify.oneAfterTheOther",
        () -> {
          List<Waiter> waiters = List.of(new Waiter("two", 1), new Waiter("two", 1));
          held("two", () -> observer.rawMonitorNotify("two"));
          held("two", () -> observer.rawMonitorNotify("two"));
          return waiters.stream().map(Waiter::end).toList().toString();
        });
    notes.note(
        "RawMonitorNotifyAll.all",
        () -> {
          List<Waiter> waiters = Stream.of(1, 2, 3).map(depth -> new Waiter("all", depth)).toList();
          held("all", () -> observer.rawMonitorNotifyAll("all"));
          return waiters.stream().map(Waiter::end).toList().toString();
        });
  }

  private void destroyed() {
    notes.note("DestroyRawMonitor.fresh", () -> observer.destroyRawMonitor("never entered"));
    notes.note(
        "DestroyRawMonitor.used",
        () -> observer.rawMonitorEnter("used", () -> {}),
        () -> observer.destroyRawMonitor("used"));
    notes.note(
        "DestroyRawMonitor.owned", () -> held("owned", () -> observer.destroyRawMonitor("owned")));
    notes.note(
        "DestroyRawMonitor.ownedTwice",
        () -> held("owned", () -> held("owned", () -> observer.destroyRawMonitor("owned"))));
    notes.note(
        "DestroyRawMonitor.ownedByAnother",
        () -> whileOwnedByAnother("theirs", () -> observer.destroyRawMonitor("theirs")));
  }

  /** What is answered while the calling thread owns a monitor. */
  private String held(String monitor, Supplier<String> step) {
    String[] answer = new String[1];
    RuntimeException[] none = new RuntimeException[1];
    String entered =
        observer.rawMonitorEnter(
            monitor,
            () -> {
              try {
                answer[0] = step.get();
              } catch (Observer.NoAnswer noAnswer) {
                none[0] = noAnswer;
              }
            });
    if (none[0] != null) {
      throw none[0];
    }
    return entered.equals("NONE") ? answer[0] : entered;
  }

  /** What is answered while another thread owns a monitor. */
  private String whileOwnedByAnother(String monitor, Supplier<String> step) {
    CountDownLatch owned = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Thread owner =
        start(
            () ->
                observer.rawMonitorEnter(
                    monitor,
                    () -> {
                      owned.countDown();
                      await(letGo);
                    }));
    await(owned);
    try {
      return step.get();
    } finally {
      letGo.countDown();
      Actor.join(owner);
    }
  }

  /** A thread that waits in a monitor, as soon as it is made. */
  private final class Waiter {

    private final Thread thread;
    private final long start = System.nanoTime();
    private volatile boolean waits;
    private volatile String answer = "";

    Waiter(String monitor, int depth) {
      thread = start(() -> enter(monitor, depth));
      // Nobody else can enter before it waits.
      while (!waits) {
        Thread.onSpinWait();
      }
      observer.rawMonitorEnter(monitor, () -> {});
    }

    private void enter(String monitor, int depth) {
      observer.rawMonitorEnter(
          monitor,
          () -> {
            if (depth > 1) {
              enter(monitor, depth - 1);
              return;
            }
            waits = true;
            answer = observer.rawMonitorWait(monitor, LONG);
          });
    }

    String end() {
      Actor.join(thread);
      boolean inTime = System.nanoTime() - start < LONG * 1_000_000;
      return answer + (inTime ? "" : " too late");
    }
  }

  private static Thread start(Runnable body) {
    Thread thread = new Thread(body, "actor of a raw monitor");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
