package io.jvmtools.internal.environment;

import io.jvmtools.Capability;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * An environment as the rooms of the library know it: what natives take for it, and whom to keep
 * alive until they have answered.
 *
 * <p>A native takes the handle alone, and an environment whose owner has become unreachable is
 * closed. So what a native answers goes through one of the {@code keep} methods.
 */
public final class Environment {

  private final Object owner;
  private final long handle;
  private final int framesAbove;
  private final @Nullable String notLent;

  /**
   * What is known of an environment.
   *
   * @param owner whom it belongs to: as long as this is reachable it stays open
   * @param handle its handle
   * @param framesAbove how many frames of the library stand above the public method of a room when
   *     it is called: none if users call it
   */
  public Environment(Object owner, long handle, int framesAbove) {
    this(owner, handle, framesAbove, null);
  }

  private Environment(Object owner, long handle, int framesAbove, @Nullable String notLent) {
    this.owner = owner;
    this.handle = handle;
    this.framesAbove = framesAbove;
    this.notLent = notLent;
  }

  /**
   * The same environment for who calls it from deeper within the library.
   *
   * @param frames how many frames of the library stand above then
   * @return the environment
   */
  public Environment below(int frames) {
    return new Environment(owner, handle, frames, notLent);
  }

  /**
   * The same environment for a call to which {@link Capability#CAN_SUSPEND} was not lent: it had
   * better not use what others have borrowed.
   *
   * @param why what the refusal said
   * @return the environment
   */
  public Environment withoutSuspension(String why) {
    return new Environment(owner, handle, framesAbove, why);
  }

  /**
   * Why {@link Capability#CAN_SUSPEND} was not lent to this call.
   *
   * @return what the refusal said; {@code null} if there was none
   */
  public @Nullable String notLent() {
    return notLent;
  }

  /**
   * What natives take for it.
   *
   * @return the handle
   */
  public long handle() {
    return handle;
  }

  /**
   * How many frames of the library stand above the public method of a room when it is called.
   *
   * @return their number
   */
  public int framesAbove() {
    return framesAbove;
  }

  /**
   * Whether it holds a capability.
   *
   * @param capability the capability
   * @return whether it does so now
   */
  public boolean holds(Capability capability) {
    return keep(CapabilityMasks.isIn(CapabilitiesNatives.getCapabilities(handle), capability));
  }

  /** Keeps the owner alive until here. */
  @SuppressWarnings("ReachabilityFenceUsage") // Not in a finally: who fails has been answered too.
  public void keep() {
    Reference.reachabilityFence(owner);
  }

  /**
   * Keeps the owner alive until here.
   *
   * @param result what a native has answered
   * @param <T> its type
   * @return the same
   */
  public <T extends @Nullable Object> T keep(T result) {
    keep();
    return result;
  }

  /**
   * Keeps the owner alive until here.
   *
   * @param result what a native has answered
   * @return the same
   */
  public int keep(int result) {
    keep();
    return result;
  }

  /**
   * Keeps the owner alive until here.
   *
   * @param result what a native has answered
   * @return the same
   */
  public long keep(long result) {
    keep();
    return result;
  }

  /**
   * Keeps the owner alive until here.
   *
   * @param result what a native has answered
   * @return the same
   */
  public boolean keep(boolean result) {
    keep();
    return result;
  }
}
