package io.jvmtools.snapshot;

import io.jvmtools.StalledException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.Events;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.Errand;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * That snapshots are taken where threads come to a place, until there have been as many as were
 * asked for, or this is closed, or the environment is, or gives up the capability.
 */
public final class SnapshotPoint implements AutoCloseable {

  private final Environment environment;
  private final SnapshotSettings settings;
  private final SnapshotTaker taker;
  private final SnapshotQuota quota;
  private final SnapshotHandover handover;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong unmatched = new AtomicLong();
  private final AtomicLong limited = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile @Nullable PlaceSubscription subscription;

  /** Linked here, and not where a thread of the application comes by. */
  private final Errand ending = new Errand(Errand.SNAPSHOTS, this::end);

  private SnapshotPoint(
      Environment environment,
      CodePlace place,
      SnapshotSettings settings,
      Consumer<? super Snapshot> consumer) {
    this.environment = environment;
    this.settings = settings;
    taker = new SnapshotTaker(place, settings);
    quota = new SnapshotQuota(settings.limit, settings.perSecond);
    handover = new SnapshotHandover(consumer, settings.onError);
  }

  static SnapshotPoint begin(
      Events events,
      Environment environment,
      CodePlace place,
      SnapshotSettings settings,
      Consumer<? super Snapshot> consumer) {
    SnapshotRehearsal.once(place);
    SnapshotPoint point = new SnapshotPoint(environment, place, settings, consumer);
    PlaceSubscription subscription = events.at(place, point::hit);
    point.subscription = subscription;
    point.endIfUsedUp();
    return point;
  }

  private void hit(EventFrame frame) {
    if (Errand.isCurrent()) {
      return;
    }
    try {
      if (!quota.isLeft()) {
        limited.incrementAndGet();
      } else if (!settings.condition.test(frame)) {
        unmatched.incrementAndGet();
      } else {
        takeIfLeft(frame);
      }
      endIfUsedUp();
    } catch (Throwable thrown) {
      // It is not the application's, on whose thread this is.
      fail(thrown);
    }
  }

  /** Whoever closes the environment does not wait for those who are here. */
  private void fail(Throwable thrown) {
    if (GeneralNatives.isOpen(environment.handle())) {
      failed.incrementAndGet();
      handover.fail(thrown);
    }
  }

  /** Whoever sees that there have been enough, and waits for them, waits for this one, too. */
  private void takeIfLeft(EventFrame frame) {
    SnapshotHandover.Due begun = new SnapshotHandover.Due(null);
    try {
      handover.begin(begun);
      if (quota.take()) {
        take(frame);
      } else {
        limited.incrementAndGet();
      }
    } finally {
      // No call: there may be no stack left for one.
      begun.isOver = true;
    }
  }

  private void take(EventFrame frame) {
    Snapshot snapshot = taker.take(frame);
    taken.incrementAndGet();
    handover.add(snapshot);
  }

  /** The breakpoints are cleared by the steward, for whom the application does not wait. */
  private void endIfUsedUp() {
    if (quota.isUsedUp() && subscription != null) {
      ending.ask();
    }
  }

  private void end() {
    try {
      endSubscription();
    } catch (Throwable thrown) {
      fail(thrown);
    }
  }

  private void endSubscription() {
    PlaceSubscription known = subscription;
    if (known != null) {
      known.close();
    }
  }

  /**
   * Whether there have been as many as were asked for, so that there will be no more.
   *
   * @return whether the limit is reached
   */
  public boolean isUsedUp() {
    return quota.isUsedUp();
  }

  /**
   * Where the place is in the classes that are there so far.
   *
   * @return an unmodifiable list; empty as long as no such class is linked, where the place has no
   *     code, and when there have been enough snapshots
   */
  public List<Breakpoint> breakpoints() {
    PlaceSubscription known = subscription;
    return known == null ? List.of() : known.breakpoints();
  }

  /**
   * What became of the times a thread came by.
   *
   * @return the counts
   */
  public SnapshotCounts counts() {
    return new SnapshotCounts(
        taken.get(),
        unmatched.get(),
        limited.get(),
        failed.get() + handover.failed(),
        handover.lost());
  }

  /**
   * Waits until who gets the snapshots has got all that were taken so far; from within him it
   * returns at once.
   *
   * @throws StalledException if that takes longer than five seconds
   */
  public void flush() {
    handover.flush();
  }

  /**
   * Has no more snapshots taken. Those that were taken are still handed over, by a daemon thread:
   * this waits a second for it at most, unless it is called from there. Closing again does nothing.
   *
   * @throws StalledException if the thread of the library that does it does not answer; it will be
   *     done all the same
   */
  @Override
  public void close() {
    endSubscription();
    handover.awaitShortly();
  }

  /**
   * What it is for, and what has become of that.
   *
   * @return for example {@code "com.acme.Cart:42: 10 taken, all that were asked for; 3 unmatched, 1
   *     limited, 0 failed, 0 lost"}
   */
  @Override
  public String toString() {
    SnapshotCounts counts = counts();
    return "%s: %d taken%s; %d unmatched, %d limited, %d failed, %d lost"
        .formatted(
            taker.place(),
            counts.taken(),
            isUsedUp() ? ", all that were asked for" : "",
            counts.unmatched(),
            counts.limited(),
            counts.failed(),
            counts.lost());
  }
}
