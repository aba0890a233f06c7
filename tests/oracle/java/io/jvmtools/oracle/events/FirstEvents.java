package io.jvmtools.oracle.events;

import io.jvmtools.event.EventFrame;
import io.jvmtools.support.LibraryCopy;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * Who is told of the first event of a kind while another thread has the lock of the class loader: a
 * copy of the library for each kind, in a class loader that locks itself.
 */
public final class FirstEvents implements Recorder {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Copy copy = new Copy();
  private final Recorder copied;
  private Thread holder;

  private FirstEvents() throws ReflectiveOperationException {
    Class<?> silent = copy.loadClass(Silent.class.getName());
    copied = (Recorder) silent.getDeclaredConstructor().newInstance();
  }

  /** Prints a line for each kind: what who is told has waited in for the lock. */
  public static void main(String[] args) throws Exception {
    for (KindOfEvent event : EventsPlayed.kinds()) {
      FirstEvents first = new FirstEvents();
      EventsPlayed.play(event, first);
      System.out.println("EVENT " + event.name() + " " + first.copy.waited);
    }
  }

  /** Keeps nothing, and asks where it is if that is in code. */
  public static final class Silent extends OurRecorder {

    private boolean isTold;
    private boolean isOfCode;

    @Override
    public void begin(KindOfEvent event, Thread actor) {
      super.begin(event, actor);
      // What a listener names for the first time is its own affair.
      isOfCode = Objects.hash(EventFrame.class) == 0;
      Class<?> type = kinds().get(event.name()).event();
      isOfCode =
          Arrays.stream(type.getRecordComponents())
              .anyMatch(component -> component.getName().equals("location"));
    }

    @Override
    void tell(Object event) {
      isTold |= look();
    }

    private boolean look() {
      try {
        return !isOfCode || jvmti().events().frame().count() > 0;
      } catch (IllegalStateException outside) {
        return false;
      }
    }

    @Override
    public List<String> end() {
      if (!super.end().isEmpty() || !isTold) {
        throw new IllegalStateException("none was told");
      }
      return List.of();
    }
  }

  /** Of the library and of who listens; what is played is nobody's copy. */
  private static final class Copy extends LibraryCopy {

    private final List<String> waited = new ArrayList<>();

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean isPlayed =
          name.startsWith("io.jvmtools.oracle.") || name.startsWith("io.jvmtools.support.");
      boolean listens =
          name.startsWith(OurRecorder.class.getName()) || name.equals(Silent.class.getName());
      return isPlayed && !listens ? Class.forName(name) : super.loadClass(name, resolve);
    }

    /** Has its lock until the thread has ended, but for whoever wants it and is not told. */
    private void hold(Thread thread, CountDownLatch held) {
      while (thread.getState() != Thread.State.TERMINATED) {
        synchronized (this) {
          held.countDown();
          while (thread.getState() != Thread.State.TERMINATED && !isWantedBy(thread)) {
            Thread.yield();
          }
        }
        while (isWantedBy(thread)) {
          Thread.yield();
        }
      }
    }

    private boolean isWantedBy(Thread thread) {
      ThreadInfo now = THREADS.getThreadInfo(thread.getId(), Integer.MAX_VALUE);
      LockInfo lock = now == null ? null : now.getLockInfo();
      if (lock == null || lock.getIdentityHashCode() != System.identityHashCode(this)) {
        return false;
      }
      String stack = Arrays.toString(now.getStackTrace());
      if (stack.contains("io.jvmtools.event.Upcalls") && !waited.contains(stack)) {
        waited.add(stack);
      }
      return true;
    }
  }

  @Override
  public void begin(KindOfEvent event, Thread actor) {
    copied.begin(event, actor);
    // Of a virtual thread nobody sees it.
    if (!event.isOfVirtualThreads()) {
      CountDownLatch held = new CountDownLatch(1);
      holder = new Thread(() -> copy.hold(actor, held), "holder");
      holder.start();
      await(held);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public List<String> end() {
    try {
      if (holder != null) {
        holder.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return copied.end();
  }

  @Override
  public void notifyFramePop(int depth) {
    copied.notifyFramePop(depth + 1);
  }

  @Override
  public void setBreakpoint(Method method) {
    copied.setBreakpoint(method);
  }

  @Override
  public void watchReads(Field field) {
    copied.watchReads(field);
  }

  @Override
  public void watchWrites(Field field) {
    copied.watchWrites(field);
  }
}
