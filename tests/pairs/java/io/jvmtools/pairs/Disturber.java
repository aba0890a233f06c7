package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends and resumes the callers at random moments.
 *
 * <p>While one caller stands the other must come out of its call: that is what half of the rounds
 * wait for, unless its Javadoc says that it waits for whoever stands. It takes no lock, as a caller
 * may stand with any.
 */
final class Disturber {

  private static final int PAUSE = 200_000;

  private final Stay stay = new Stay();
  private final Stage stage;
  private final List<Way> ways;
  private final Random random;
  private final boolean oneMayWaitForTheOther;
  private volatile long rounds;
  private volatile long suspensions;

  Disturber(Stage stage, List<Place> places, boolean oneMayWaitForTheOther, Random random) {
    this.stage = stage;
    this.oneMayWaitForTheOther = oneMayWaitForTheOther;
    this.random = random;
    this.ways =
        List.of(
            new Way.StaticDoor(),
            new Way.Own(stage.own()),
            new Way.Theirs(places.get(0)),
            new Way.Theirs(places.get(1)));
  }

  Stay stay() {
    return stay;
  }

  long rounds() {
    return rounds;
  }

  /** How often it has made a caller stand. */
  long suspensions() {
    return suspensions;
  }

  /** Disturbs two callers once. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  void disturb(Caller first, Caller second) {
    switch (random.nextInt(oneMayWaitForTheOther ? 2 : 0, 4)) {
      case 0 -> holdWhileOtherCalls(first, second);
      case 1 -> holdWhileOtherCalls(second, first);
      case 2 -> {
        suspend(first);
        suspend(second);
        pause();
      }
      default -> {
        suspend(random.nextBoolean() ? first : second);
        pause();
      }
    }
    letGo(first);
    letGo(second);
    giveBack();
    pause();
    rounds++;
  }

  /** Lets a caller go, whoever has suspended it. */
  void letGo(Caller caller) {
    resume(caller.thread());
    caller.stay().goes();
  }

  /** Resumes a thread, whoever has suspended it, by whoever can. */
  void resume(Thread thread) {
    stay.enter("resuming " + thread.getName(), Bounds.CALL);
    for (int way = 0; !resumed(ways.get(way % ways.size()), thread); way++) {
      Thread.onSpinWait();
    }
    stay.leave();
  }

  /** Gives back what its own environment has taken. */
  void giveBack() {
    stay.enter("Jvmti.relinquish(Capability[])", Bounds.CALL);
    stage.own().relinquish(Capability.CAN_SUSPEND);
    stay.leave();
  }

  private void holdWhileOtherCalls(Caller held, Caller other) {
    if (!suspend(held)) {
      return;
    }
    long before = other.stay().calls();
    while (other.stay().isInside() && other.stay().calls() == before) {
      // The held one may have suspended it, or it itself.
      resume(other.thread());
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  private boolean suspend(Caller caller) {
    caller.stay().stands();
    int start = random.nextInt(ways.size());
    for (int i = 0; i < ways.size(); i++) {
      Way way = ways.get((start + i) % ways.size());
      stay.enter("suspending the " + caller.thread().getName(), Bounds.CALL);
      try {
        way.suspend(caller.thread());
        suspensions++;
        return true;
      } catch (ThreadSuspendedException byAnother) {
        return true;
      } catch (ThreadNotAliveException ended) {
        break;
      } catch (StalledException never) {
        throw never;
      } catch (JvmtiException | IllegalStateException refused) {
        check(refused);
      } finally {
        stay.leave();
      }
    }
    caller.stay().goes();
    return false;
  }

  private boolean resumed(Way way, Thread thread) {
    try {
      way.resume(thread);
      return true;
    } catch (ThreadNotSuspendedException | ThreadNotAliveException goes) {
      return true;
    } catch (StalledException never) {
      throw never;
    } catch (JvmtiException | IllegalStateException refused) {
      check(refused);
      return false;
    }
  }

  /** It goes another way then, unless nobody should be refused like that. */
  private void check(RuntimeException refused) {
    if (!(refused instanceof MissingCapabilityException || refused instanceof NotSupportedException)
        && !String.valueOf(refused.getMessage()).contains("this environment is closed")) {
      stage.findings().add("disturber", refused, "is not documented");
    }
  }

  private void pause() {
    LockSupport.parkNanos(random.nextInt(PAUSE));
  }

  @Override
  public String toString() {
    return "the disturber, " + suspensions + " suspensions, " + stay;
  }
}
