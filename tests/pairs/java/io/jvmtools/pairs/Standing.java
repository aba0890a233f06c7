package io.jvmtools.pairs;

import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiException;
import io.jvmtools.StalledException;
import io.jvmtools.fuzz.Spins;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.thread.Threads;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Has threads stand where an operation wants them, if its environment may suspend. */
final class Standing {

  private static final int TRIES = 20;

  /** In which a victim that is unparked comes to run, on a busy machine. */
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(5);

  private final Operation operation;
  private final Place place;
  private final Stay stay;

  Standing(Operation operation, Place place, Stay stay) {
    this.operation = operation;
    this.place = place;
    this.stay = stay;
  }

  /** Has a victim stand. Somebody else lets it go. */
  Thread stand(Thread victim) {
    boolean stands = suspended(victim);
    for (int i = 1; stands && !fits(victim) && i < TRIES; i++) {
      stands = suspended(victim);
    }
    return victim;
  }

  private boolean suspended(Thread victim) {
    Threads threads = place.environment(stay).threads();
    stay.enter("having a victim stand", Bounds.CALL);
    try {
      if (JvmTools.getThreadState(victim).isSuspended()) {
        if (!operation.leavesFrames()) {
          return true;
        }
        threads.resume(victim);
      }
      if (operation.leavesFrames()) {
        Spins.next(operation.returned());
        LockSupport.unpark(victim);
        long start = System.nanoTime();
        while (victim.isAlive() && !Spins.isLatest(victim) && System.nanoTime() - start < LOOK) {
          Thread.yield();
        }
      }
      threads.suspend(victim);
      return true;
    } catch (StalledException never) {
      throw never;
    } catch (JvmtiException | IllegalStateException refused) {
      return false;
    } finally {
      stay.leave();
    }
  }

  private boolean fits(Thread victim) {
    if (!operation.leavesFrames()) {
      return true;
    }
    stay.enter("looking at a victim", Bounds.CALL);
    boolean inPlace = isInPlace(victim);
    stay.leave();
    return inPlace;
  }

  private boolean isInPlace(Thread victim) {
    try {
      StackFrame top = JvmTools.getFrameLocation(victim, 0);
      return Spins.is(top.className(), top.method().signature(), operation.returned());
    } catch (JvmtiException ended) {
      return false;
    }
  }
}
