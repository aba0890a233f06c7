package io.jvmtools.functions;

import io.jvmtools.support.Eventually;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A thread that turns in its innermost frame, a method of {@link Loop}, and calls nothing there.
 */
public final class Spinning implements AutoCloseable {

  /** How often it turns until its method is compiled, most likely. */
  private static final int MANY = 1_000_000;

  /** Has a method of each type, which turns until all is over. */
  public static final class Loop {

    private final AtomicInteger calls = new AtomicInteger();

    /** In which call of its method it turns; also a class that a test generates says so. */
    public volatile int reached;

    public volatile boolean over;
    private volatile boolean cleanedUp;

    public void nothing() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
    }

    public boolean aBoolean() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return false;
    }

    public byte aByte() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public char aChar() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 'a';
    }

    public short aShort() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public int anInt() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public long aLong() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public float aFloat() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public double aDouble() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return 0;
    }

    public String aString() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return "own";
    }

    public Relay aRelay() {
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return null;
    }

    /** Compiled by the time that it is reached. */
    public long compiled() {
      int call = calls.incrementAndGet();
      long turns = 0;
      while (!over) {
        turns++;
        if (turns == MANY) {
          reached = call;
        }
      }
      return turns;
    }

    /** Assigns to a number that it is given. */
    public int oneMore(int number) {
      number++;
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return number;
    }

    /** Assigns to an object that it is given. */
    public String shorter(String text) {
      text = text.substring(1);
      int call = calls.incrementAndGet();
      while (!over) {
        reached = call;
      }
      return text;
    }

    public synchronized int locked() {
      try {
        synchronized (calls) {
          int call = calls.incrementAndGet();
          while (!over) {
            reached = call;
          }
          return 0;
        }
      } finally {
        cleanedUp = true;
      }
    }

    /** Whether {@link #locked} has come to its end. */
    public boolean isCleanedUp() {
      return cleanedUp;
    }

    /** Which monitor {@link #locked} enters besides its own. */
    public Object inner() {
      return calls;
    }
  }

  /** An object whose constructor turns. */
  public static final class Unfinished {
    public Unfinished(Loop loop) {
      int call = loop.calls.incrementAndGet();
      while (!loop.over) {
        loop.reached = call;
      }
    }
  }

  private final Loop loop = new Loop();
  private final Thread thread;
  private volatile Object result;

  private Spinning(Function<Loop, Object> call, boolean virtual) {
    Runnable body = () -> result = call.apply(loop);
    thread = virtual ? VirtualThreads.start("spinning", body) : new Thread(body, "spinning");
    if (!virtual) {
      thread.setDaemon(true);
      thread.start();
    }
    awaitCall(1);
  }

  /** In a method of the loop that {@code call} calls. */
  public static Spinning in(Function<Loop, Object> call) {
    return new Spinning(call, false);
  }

  /** The same in a virtual thread; for JDK 21 and later. */
  public static Spinning virtual(Function<Loop, Object> call) {
    return new Spinning(call, true);
  }

  public Thread thread() {
    return thread;
  }

  public Loop loop() {
    return loop;
  }

  /** Waits until it turns in a call of its method. */
  public void awaitCall(int number) {
    Eventually.isTrue(thread + " turns", () -> loop.reached == number);
  }

  /** Lets it go, and says what it was answered, and by how many calls. */
  public String outcome() {
    close();
    return result + " by " + loop.calls;
  }

  @Override
  public void close() {
    loop.over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
