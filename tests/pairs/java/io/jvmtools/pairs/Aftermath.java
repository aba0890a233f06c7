package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.VerboseFlag;
import io.jvmtools.pairs.Operation.Kind;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.List;

/** Undoes what the operations of a pair are there to do, and looks whether anything is left. */
final class Aftermath {

  private final Stage stage;
  private final Pair pair;
  private final Disturber disturber;
  private final Stay stay;

  /** In the name of the disturber, so that somebody looks how long that takes. */
  Aftermath(Stage stage, Pair pair, Disturber disturber) {
    this.stage = stage;
    this.pair = pair;
    this.disturber = disturber;
    this.stay = disturber.stay();
  }

  /** Lets all victims go. */
  void resumeVictims() {
    suspended().forEach(disturber::resume);
    disturber.giveBack();
  }

  void settle(List<Place> places) {
    places.forEach(place -> place.close(stay));
    checkThatMainGoes();
    if (pair.first().kind() != Kind.STATIC_DOOR && pair.second().kind() != Kind.STATIC_DOOR) {
      check("stand after close()");
    }
    for (VerboseFlag flag : VerboseFlag.values()) {
      JvmTools.disableVerbose(flag);
    }
    resumeVictims();
    if (Parked.hasVirtualThreads()) {
      stay.enter("JvmTools.resumeAllVirtualThreads(Thread[])", Bounds.CALL);
      JvmTools.resumeAllVirtualThreads();
      stay.leave();
    }
    check("stand after they were resumed");
    checkNobodyHolds(stage.solo().toArray(new Capability[0]));
  }

  /** It is suspended for a time alone: nobody else would notice, as it is main who tells. */
  private void checkThatMainGoes() {
    long start = System.nanoTime();
    while (isSuspended(stage.main())) {
      if (System.nanoTime() - start > Bounds.CLOSE.toNanos()) {
        stage.findings().add(pair + "main", "the main thread stands after both callers have ended");
        disturber.resume(stage.main());
      }
    }
  }

  /** What only one environment at a time can hold. */
  private void checkNobodyHolds(Capability... solo) {
    stay.enter("Jvmti.add(Capability[])", Bounds.CALL);
    try {
      stage.own().add(solo);
    } catch (MissingCapabilityException held) {
      stage.findings().add(pair + "held", held, "is what somebody still holds");
    }
    stage.own().relinquish(solo);
    stay.leave();
  }

  /** On a busy machine others resume a moment later: nothing waits for them for ever. */
  private void check(String what) {
    long start = System.nanoTime();
    List<Thread> suspended = suspended();
    while (!suspended.isEmpty() && System.nanoTime() - start < Bounds.CLOSE.toNanos()) {
      suspended = suspended();
    }
    if (!suspended.isEmpty()) {
      stage.findings().add(pair + what, suspended.size() + " threads " + what);
    }
  }

  private List<Thread> suspended() {
    List<Thread> suspended = new ArrayList<>();
    for (Thread thread : stage.pools().victims().all()) {
      if (isSuspended(thread)) {
        suspended.add(thread);
      }
    }
    return suspended;
  }

  private boolean isSuspended(Thread thread) {
    stay.enter("JvmTools.getThreadState(Thread)", Bounds.CALL);
    boolean isSuspended = JvmTools.getThreadState(thread).isSuspended();
    stay.leave();
    return isSuspended;
  }
}
