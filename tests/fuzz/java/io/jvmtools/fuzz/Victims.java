package io.jvmtools.fuzz;

import io.jvmtools.support.Parked;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Threads that are only there to be suspended, stopped and interrupted. A slot whose thread has
 * ended gets a new one when it is next looked at.
 */
public final class Victims {

  private static final int EACH = 3;
  private static final int DEEP = 600;
  private static final int MOST_SPENT = 64;

  /** The outermost method of their own, which has variables of all types. */
  public static final String HOLDER = "hold";

  /** Which of the kinds runs. */
  private static final int RUNNING = 6;

  /** Which of the virtual kinds runs. */
  private static final int RUNNING_VIRTUAL = 3;

  private final List<Function<Body, Thread>> kinds = new ArrayList<>();
  private final int platformKinds;
  private final AtomicReferenceArray<Victim> slots;
  private final Object owned = new Object();
  private final Thread ended = Parked.ended();

  private final Queue<ThreadGroup> spent = new ArrayDeque<>();

  private record Victim(Thread thread, Body body) {}

  Victims() {
    kinds.add(body -> platform(body, body::park));
    kinds.add(body -> platform(body, body::parkForAWhile));
    kinds.add(body -> platform(body, body::waitForNotification));
    kinds.add(body -> platform(body, body::sleep));
    kinds.add(body -> platform(body, () -> body.own(owned)));
    kinds.add(body -> platform(body, () -> body.own(owned)));
    kinds.add(body -> platform(body, body::run));
    kinds.add(body -> platform(body, () -> body.deep(DEEP)));
    kinds.add(body -> start(new Hostile.Subclass(body.group, body.held(body::park))));
    platformKinds = kinds.size();
    if (Parked.hasVirtualThreads()) {
      kinds.add(body -> virtual(body, body::park));
      kinds.add(body -> virtual(body, body::parkForAWhile));
      kinds.add(body -> virtual(body, () -> body.own(new Object())));
      kinds.add(body -> virtual(body, body::run));
    }
    slots = new AtomicReferenceArray<>(kinds.size() * EACH);
  }

  /** A thread that may be suspended and stopped: alive, ended or not started. */
  Thread any(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> ended;
      case 1 -> unstarted();
      case 2 -> new Hostile.Subclass(group(), () -> {});
      default -> live(random);
    };
  }

  /** A thread that lives, unless it is just ending. */
  public Thread live(Random random) {
    return live(random.nextInt(slots.length()));
  }

  /** A platform thread that lives, unless it is just ending. */
  public Thread platform(Random random) {
    return live(random.nextInt(EACH) * kinds.size() + random.nextInt(platformKinds));
  }

  /** A platform thread that lives, unless it is just ending, and runs when it is unparked. */
  public Thread running(Random random) {
    return live(random.nextInt(EACH) * kinds.size() + RUNNING);
  }

  /** A virtual one that lives, unless it is just ending. */
  public Thread virtual(Random random) {
    int kind = platformKinds + random.nextInt(kinds.size() - platformKinds);
    return live(random.nextInt(EACH) * kinds.size() + kind);
  }

  /** A virtual one that lives, unless it is just ending, and runs when it is unparked. */
  public Thread runningVirtual(Random random) {
    return live(random.nextInt(EACH) * kinds.size() + platformKinds + RUNNING_VIRTUAL);
  }

  /** A new one, which ends when its body does; nobody waits for a group of its if that lasts. */
  public synchronized Thread ending(Runnable body) {
    ThreadGroup group = group();
    spent.add(group);
    if (spent.size() > MOST_SPENT) {
      destroy(spent.remove());
    }
    return start(new Thread(group, body, "ending"));
  }

  /** Has all slots filled, for what sees all threads. */
  public void populate() {
    for (int i = 0; i < slots.length(); i++) {
      live(i);
    }
  }

  /** Those that there are now. */
  public List<Thread> all() {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < slots.length(); i++) {
      Victim victim = slots.get(i);
      if (victim != null && victim.thread.isAlive()) {
        threads.add(victim.thread);
      }
    }
    return threads;
  }

  private Thread live(int slot) {
    Victim victim = slots.get(slot);
    if (victim != null && victim.thread.isAlive()) {
      return victim.thread;
    }
    Body body = new Body();
    Victim fresh = new Victim(kinds.get(slot % kinds.size()).apply(body), body);
    if (!slots.compareAndSet(slot, victim, fresh)) {
      // Nobody would find it again that was suspended meanwhile.
      release(fresh);
      return live(slot);
    }
    if (victim != null) {
      destroy(victim.body.group);
    }
    return fresh.thread;
  }

  /**
   * Lets all of them go, and answers those that still live: they are suspended, or about to end.
   */
  public List<Thread> retire() {
    List<Thread> alive = new ArrayList<>();
    for (int i = 0; i < slots.length(); i++) {
      Victim victim = slots.getAndSet(i, null);
      if (victim != null) {
        release(victim);
        alive.add(victim.thread);
      }
    }
    return alive;
  }

  private static void release(Victim victim) {
    victim.body.released = true;
    victim.thread.interrupt();
    LockSupport.unpark(victim.thread);
  }

  /** A thread that has not started. */
  public static Thread unstarted() {
    return new Thread(group(), () -> {}, "unstarted");
  }

  private static Thread platform(Body body, Runnable run) {
    return start(new Thread(body.group, body.held(run), "victim"));
  }

  private static Thread start(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /**
   * A group of its own: before 19, whoever is suspended while it ends blocks its whole group. It is
   * no daemon, whose last thread takes it out of the group that all others are made in.
   */
  private static ThreadGroup group() {
    return new ThreadGroup("victims");
  }

  /** Does nothing from 19 on. */
  @SuppressWarnings("removal")
  private static void destroy(ThreadGroup group) {
    try {
      group.destroy();
    } catch (IllegalThreadStateException endedJustNow) {
      // It stays, as do those of threads that were never started.
    }
  }

  private static Thread virtual(Body body, Runnable run) {
    return Parked.startVirtual(body.held(run));
  }

  /** What a victim does until it is released or something is thrown at it. */
  private static final class Body {

    final ThreadGroup group = group();

    private final Spins spins = new Spins();
    private volatile boolean released;

    /** What it held, so that it does to the end. */
    private volatile Object[] held;

    Runnable held(Runnable run) {
      return () -> hold(run, this, 1, 2, 3, 4);
    }

    private void hold(
        Runnable run, Object object, int number, long bits, float single, double real) {
      run.run();
      held = new Object[] {object, number, bits, single, real};
    }

    void park() {
      quietly(
          () -> {
            Thread.interrupted();
            LockSupport.park(this);
          });
    }

    void parkForAWhile() {
      quietly(
          () -> {
            Thread.interrupted();
            LockSupport.parkNanos(this, 1_000_000_000L);
          });
    }

    void waitForNotification() {
      quietly(
          () -> {
            synchronized (this) {
              wait();
            }
          });
    }

    void sleep() {
      quietly(() -> Thread.sleep(Long.MAX_VALUE));
    }

    void own(Object monitor) {
      synchronized (monitor) {
        synchronized (this) {
          synchronized (monitor) {
            park();
          }
        }
      }
    }

    /** Runs Java code, but leaves most of the processor to others. */
    void run() {
      quietly(
          () -> {
            spins.spin();
            Thread.interrupted();
            LockSupport.parkNanos(20_000_000L);
          });
    }

    void deep(int depth) {
      if (depth == 0) {
        park();
      } else {
        deep(depth - 1);
      }
    }

    private void quietly(Step step) {
      while (!released) {
        try {
          step.run();
        } catch (InterruptedException e) {
          // Once more, unless that was the release.
        } catch (Throwable thrownAtIt) {
          return;
        }
      }
    }
  }

  private interface Step {
    void run() throws InterruptedException;
  }
}
