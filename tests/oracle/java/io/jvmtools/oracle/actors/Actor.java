package io.jvmtools.oracle.actors;

import io.jvmtools.support.Eventually;
import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread, platform or virtual, that calls itself some levels deep, enters monitors, one in
 * each call, and then stays in a known place until it is closed.
 */
public final class Actor implements AutoCloseable {

  /** Where it stays. */
  public enum Place {
    PARK(Thread.State.WAITING),
    TIMED_PARK(Thread.State.TIMED_WAITING),
    SLEEP(Thread.State.TIMED_WAITING),
    SPIN(Thread.State.RUNNABLE),
    /** In {@code Object.wait} on the last of its monitors. */
    WAIT(Thread.State.WAITING),
    /** At the entry of the last of its monitors. */
    BLOCKED(Thread.State.BLOCKED);

    private final Thread.State state;

    Place(Thread.State state) {
      this.state = state;
    }
  }

  private static final String PREFIX = "actor ";

  private final Body body;
  private final Thread thread;

  private Actor(Body body, Thread thread) {
    this.body = body;
    this.thread = thread;
    Eventually.isTrue(
        thread + " is at its place", () -> body.reached && thread.getState() == body.place.state);
  }

  public static Actor in(Place place, String name, Object... monitors) {
    return platform(new Body(place, 0, monitors), name);
  }

  public static Actor deep(int calls, String name) {
    return platform(new Body(Place.PARK, calls), name);
  }

  /** For JDK 21 and later. */
  public static Actor virtual(Place place, String name, Object... monitors) {
    Body body = new Body(place, 0, monitors);
    return new Actor(body, Virtual.start(PREFIX + name, body));
  }

  /** A thread in which something runs under a lambda, whose class is hidden. */
  public static Actor underLambda(String name) {
    Body body = new Body(Place.PARK, 0);
    return platform(body, () -> body.run(), name);
  }

  /** Whether an answer is about a thread of the scenarios. */
  public static boolean isNamed(String answer) {
    return answer.startsWith(PREFIX) || answer.equals("main");
  }

  /** A thread that was never started. */
  public static Thread unstarted() {
    return new Thread(() -> {}, PREFIX + "unstarted");
  }

  /** A thread that has ended. */
  public static Thread ended() {
    Thread thread = new Thread(() -> {}, PREFIX + "ended");
    thread.start();
    join(thread);
    return thread;
  }

  public static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Actor platform(Body body, String name) {
    return platform(body, body, name);
  }

  private static Actor platform(Body body, Runnable run, String name) {
    Thread thread = new Thread(run, PREFIX + name);
    thread.setDaemon(true);
    // Some scenarios make it throw.
    thread.setUncaughtExceptionHandler((dying, failure) -> body.failure = failure);
    thread.start();
    return new Actor(body, thread);
  }

  public Thread thread() {
    return thread;
  }

  /** What made it end, as a name. */
  public String failure() {
    join(thread);
    return String.valueOf(body.failure);
  }

  /** Lets it go and waits until it has ended. */
  @Override
  public void close() {
    letGo();
  }

  /** The same, for one on which others wait. */
  public void letGo() {
    body.over = true;
    LockSupport.unpark(thread);
    if (body.place == Place.SLEEP || body.place == Place.WAIT) {
      thread.interrupt();
    }
    join(thread);
  }

  private static final class Body implements Runnable {

    private final Place place;
    private final int calls;
    private final Object[] monitors;
    private volatile boolean reached;
    private volatile boolean over;
    private volatile Throwable failure;

    Body(Place place, int calls, Object... monitors) {
      this.place = place;
      this.calls = calls;
      this.monitors = monitors;
    }

    @Override
    public void run() {
      descend(calls);
    }

    private void descend(int remaining) {
      if (remaining > 0) {
        descend(remaining - 1);
      } else {
        enter(0);
      }
    }

    private void enter(int index) {
      if (index == monitors.length) {
        stay();
        return;
      }
      reached = place == Place.BLOCKED && index == monitors.length - 1;
      synchronized (monitors[index]) {
        enter(index + 1);
      }
    }

    private void stay() {
      reached = true;
      switch (place) {
        case PARK -> park();
        case TIMED_PARK -> parkForLong();
        case SLEEP -> sleep();
        case SPIN -> spin();
        case WAIT -> await(monitors[monitors.length - 1]);
        default -> {}
      }
    }

    private void park() {
      while (!over) {
        LockSupport.park(this);
      }
    }

    private void parkForLong() {
      while (!over) {
        LockSupport.parkNanos(this, Long.MAX_VALUE);
      }
    }

    /** Calls nothing, so that this is its innermost frame. */
    private void spin() {
      long turns = 0;
      while (!over) {
        turns++;
      }
      reached = turns >= 0;
    }

    private void sleep() {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        over = true;
      }
    }

    private void await(Object monitor) {
      try {
        while (!over) {
          monitor.wait();
        }
      } catch (InterruptedException e) {
        over = true;
      }
    }
  }
}
