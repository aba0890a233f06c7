package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a thread of a {@link ThreadDump} waits for.
 *
 * @param kind how it waits
 * @param lock the object it waits for; empty if that is not known, and {@link ThreadDump#unknown()}
 *     says why
 * @param owner who owns the lock; empty if nobody does or that is not known, and always for {@link
 *     Kind#NOTIFICATION}
 * @param ownerHasEnded whether that thread has ended without giving the lock back, so that nobody
 *     ever will; said only where all threads are in the dump
 */
public record DumpedWait(
    Kind kind, Optional<DumpedLock> lock, Optional<DumpedName> owner, boolean ownerHasEnded) {

  /** How a thread waits. */
  public enum Kind {

    /** To enter a monitor. */
    MONITOR("waiting to lock"),

    /** To enter a monitor again, which it gave back for {@link Object#wait()}. */
    MONITOR_AGAIN("waiting to re-lock in wait()"),

    /**
     * That another thread has initialised a class. Its state is that of a thread that runs, for so
     * the JVM answers; the lock is the {@link Class}, or one that it extends and that is
     * initialised before it, the owner the thread that initialises it.
     */
    CLASS_INITIALIZATION("waiting for the initialization of"),

    /** To be notified, in {@link Object#wait()}. */
    NOTIFICATION("waiting on"),

    /** Parked, by {@link java.util.concurrent.locks.LockSupport}: most often for a {@code Lock}. */
    PARKED("parking to wait for");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * Refuses {@code null} components.
   *
   * @param kind how it waits
   * @param lock the object it waits for
   * @param owner who owns the lock
   * @param ownerHasEnded whether that thread has ended
   */
  public DumpedWait {
    requireNonNull(kind, "kind");
    requireNonNull(lock, "lock");
    requireNonNull(owner, "owner");
  }

  /**
   * The wait in the words of the JVM's own dump.
   *
   * @return for example {@code "waiting to lock <0x1b6d3586> (a com.acme.Cart) owned by \"x\" #27"}
   */
  @Override
  public String toString() {
    return withoutOwner() + ofOwner();
  }

  private String ofOwner() {
    String by = isForAClass() ? " by " : " owned by ";
    String fate = ownerHasEnded ? ", which has ended" : "";
    return owner.map(thread -> by + thread + fate).orElse("");
  }

  boolean isForAClass() {
    return kind == Kind.CLASS_INITIALIZATION;
  }

  String withoutOwner() {
    return withoutOwner(lock.map(DumpedLock::toString));
  }

  private String withoutOwner(Optional<String> what) {
    return kind.words + " " + what.orElse("<not known>");
  }

  /** The same of several threads that do not wait for the same. */
  String ofSeveral() {
    return withoutOwner(lock.map(DumpedLock::ofSeveral)) + ofOwner();
  }
}
