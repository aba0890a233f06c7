package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.StalledException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * That a listener is told of events of one kind, until this is closed, or the environment is, or
 * gives up the capability.
 */
public final class Subscription implements AutoCloseable {

  private final Delivery delivery;
  private final EventType<?> type;
  private final Function<Object, @Nullable Object> listener;
  private final int number;

  /** Whether it is the library's own, told also of what listeners do. */
  private final boolean isNested;

  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean ended;
  private volatile long[] untold = new long[3];
  private volatile @Nullable Consumer<? super Throwable> onError;

  Subscription(
      Delivery delivery,
      EventType<?> type,
      Function<Object, @Nullable Object> listener,
      boolean isNested) {
    this.delivery = delivery;
    this.type = type;
    this.listener = listener;
    this.isNested = isNested;
    number = delivery.nextNumber();
  }

  /**
   * The kind of events.
   *
   * @return what was asked for
   */
  public EventType<?> type() {
    return type;
  }

  /**
   * What is done with an exception of the listener, on the same thread; what that throws is
   * dropped. The application never gets either, and until this is said an exception is but counted.
   *
   * @param handler is given what was thrown, in place of any that was said before
   * @return this
   */
  public Subscription onError(Consumer<? super Throwable> handler) {
    onError = requireNonNull(handler, "handler");
    return this;
  }

  /**
   * What became of the events.
   *
   * @return the counts as they are now; of one that is closed, what was not delivered as it was
   *     then, or was last asked for if its environment was closed before
   * @throws IllegalStateException if the environment is closed, and this is not
   */
  public EventCounts counts() {
    if (!ended) {
      read();
    }
    long[] counts = untold;
    return new EventCounts(delivered.get(), failed.get(), counts[0], counts[1], counts[2]);
  }

  private void read() {
    long[] counts = delivery.counts(this);
    if (counts != null) {
      untold = counts;
    }
  }

  /**
   * Has the listener told no more. One that is being told goes on; closing from within a listener
   * is fine. What of a {@linkplain EventType#isRecorded() recorded} kind is not told yet is not
   * told any more: {@link Events#flush} before, to have it. Closing it again does nothing, and
   * after the environment is closed there is nothing to close.
   *
   * @throws StalledException if the thread of the library that does it does not answer; it will be
   *     done all the same
   */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    try {
      read();
      // Both may be done twice, and what fails half-way is done again by who closes once more.
      delivery.end(this);
      ended = true;
    } catch (StalledException later) {
      throw later;
    } catch (IllegalStateException closed) {
      // With its environment.
      ended = true;
    }
  }

  int number() {
    return number;
  }

  boolean isGivenUp() {
    return delivery.isGivenUp(this);
  }

  boolean isNested() {
    return isNested;
  }

  /** What the listener answers; null if it throws, too. */
  @Nullable Object ask(Object event) {
    try {
      return listener.apply(event);
    } catch (Throwable thrown) {
      failed.incrementAndGet();
      report(thrown);
      return null;
    } finally {
      delivered.incrementAndGet();
    }
  }

  void report(Throwable thrown) {
    Consumer<? super Throwable> handler = onError;
    if (handler == null) {
      return;
    }
    try {
      handler.accept(thrown);
    } catch (Throwable again) {
      // It is nobody's, least of all the application's.
    }
  }

  /**
   * Which events it is for.
   *
   * @return the kind, and that it has ended if it has
   */
  @Override
  public String toString() {
    return "Subscription[" + type + (ended ? ", ended]" : "]");
  }
}
