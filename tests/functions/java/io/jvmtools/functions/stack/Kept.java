package io.jvmtools.functions.stack;

import io.jvmtools.Jvmti;
import io.jvmtools.functions.Traces;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Eventually;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** A thread that waits below a frame of a {@link Keeper}, or of a copy of it in another loader. */
final class Kept implements AutoCloseable {

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Runnable keeper;
  private final Thread thread;

  private Kept(Function<Runnable, Runnable> keeper, boolean virtual) {
    this.keeper = keeper.apply(this::stay);
    this.thread =
        virtual ? VirtualThreads.start("kept", this.keeper) : new Thread(this.keeper, "kept");
    if (!virtual) {
      thread.setDaemon(true);
      thread.start();
    }
    await(inside);
    Eventually.isTrue(thread + " waits", () -> thread.getState() == Thread.State.WAITING);
  }

  static Kept platform() {
    return new Kept(Keeper::new, false);
  }

  static Kept platform(Function<Runnable, Runnable> keeper) {
    return new Kept(keeper, false);
  }

  /** For JDK 21 and later. */
  static Kept virtual() {
    return new Kept(Keeper::new, true);
  }

  Thread thread() {
    return thread;
  }

  Object keeper() {
    return keeper;
  }

  /** The frame of a method. */
  StackFrame frame(Jvmti jvmti, String method) {
    return Traces.frames(jvmti.frames().stackTrace(thread), method).get(0);
  }

  /** Lets it go, and says what the frame kept at its end. */
  String outcome() {
    close();
    return ((Keeper) keeper).outcome();
  }

  private void stay() {
    inside.countDown();
    await(over);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
