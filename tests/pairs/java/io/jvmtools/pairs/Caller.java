package io.jvmtools.pairs;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Profile;
import io.jvmtools.event.Subscription;
import io.jvmtools.fuzz.Victims;
import io.jvmtools.snapshot.SnapshotPoint;
import java.lang.reflect.InvocationTargetException;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Calls one operation again and again, and notes what it must not have answered. */
final class Caller {

  /**
   * None that an operation is asked about: before 19, whoever is suspended while it ends has the
   * lock of its group.
   */
  private static final ThreadGroup GROUP = new ThreadGroup("callers");

  private final Operation operation;
  private final Place place;
  private final Stage stage;
  private final Thread thread;
  private final Stay stay = new Stay();
  private boolean mayStall;
  private volatile long calls;
  private volatile long longest;

  /** With a body that calls as often as it likes, once the thread is started. */
  Caller(String name, Operation operation, Place place, Stage stage, Consumer<Caller> body) {
    this.operation = operation;
    this.place = place;
    this.stage = stage;
    thread = new Thread(GROUP, () -> body.accept(this), name);
    thread.setDaemon(true);
  }

  Thread thread() {
    return thread;
  }

  /** Before it starts: another may stand with what this one has to wait for. */
  void mayStall() {
    mayStall = true;
  }

  Stay stay() {
    return stay;
  }

  /** How often the operation was called. */
  long calls() {
    return calls;
  }

  /** The longest stay in the operation, in nanoseconds. */
  long longest() {
    return longest;
  }

  /** Calls it once. */
  void call(Valid draw) throws ReflectiveOperationException {
    call(draw, draw.arguments());
  }

  /** Calls it once, with arguments that were drawn. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes them.
  void call(Valid draw, Object[] arguments) throws ReflectiveOperationException {
    Object receiver;
    try {
      receiver = receiver();
    } catch (MissingCapabilityException held) {
      // There is nothing to call it on: somebody else has what that takes, or this JVM has not.
      calls++;
      return;
    }
    Throwable thrown = null;
    Object result = null;
    stay.enter(operation.toString(), operation.bound());
    try {
      result = operation.call(receiver, arguments);
    } catch (Throwable refused) {
      thrown = refused;
    }
    longest = Math.max(longest, stay.leave());
    calls++;
    if (result instanceof Jvmti opened) {
      Place.close(opened, stay);
    } else if (result instanceof Subscription begun) {
      close("Subscription", begun::close);
    } else if (result instanceof Profile begun) {
      close("Profile", begun::close);
    } else if (result instanceof PlaceSubscription begun) {
      close("PlaceSubscription", begun::close);
    } else if (result instanceof SnapshotPoint begun) {
      close("SnapshotPoint", begun::close);
    }
    if (thrown != null) {
      String objection =
          thrown instanceof StalledException && !mayStall
              ? "has waited for a thread of the library, or another's standstill, for too long"
              : stage.contracts().objection(operation.target(), thrown, draw);
      if (objection != null) {
        stage.findings().add(operation.toString(), thrown, objection);
      }
    }
  }

  /** One that is begun is ended, or the next ones tell more and more listeners. */
  private void close(String what, Runnable begun) {
    stay.enter(what + ".close()", operation.bound());
    try {
      begun.run();
    } catch (StalledException later) {
      // It is ended all the same.
    }
    stay.leave();
  }

  /** In an environment that the other may close at any moment; then in the next one. */
  private Object receiver() throws ReflectiveOperationException {
    while (operation.target().needsReceiver()) {
      Jvmti environment = place.environment(stay);
      try {
        return operation.receiver(environment);
      } catch (IllegalStateException | InvocationTargetException refused) {
        if (environment.isOpen()) {
          throw refused;
        }
      }
    }
    return null;
  }

  /** What it passes. */
  Valid draw(Random random, Thread... callers) {
    BiFunction<Victims, Random, Thread> any =
        operation.ownsALockOfVirtualThreads() ? Victims::platform : Victims::live;
    return draw(random, operation.leavesFrames() ? Victims::running : any, callers);
  }

  /** What it passes, with the threads that are named to it. */
  Valid draw(Random random, BiFunction<Victims, Random, Thread> named, Thread... callers) {
    Standing standing = new Standing(operation, place, stay);
    BiFunction<Victims, Random, Thread> standingStill =
        (victims, chance) -> standing.stand(named.apply(victims, chance));
    return new Valid(
        random, stage, operation, operation.wantsStanding() ? standingStill : named, callers);
  }

  @Override
  public String toString() {
    return thread.getName() + ", " + operation + ", " + calls + " calls, " + stay;
  }
}
