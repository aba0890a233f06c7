package io.jvmtools.dump;

import io.jvmtools.Capability;

/** What a {@link ThreadDump} holds beside states, stacks and locks. */
public enum DumpPart {
  /** Processor times. Needs {@link Capability#CAN_GET_THREAD_CPU_TIME}. */
  CPU_TIMES,

  /**
   * How long ago each platform thread was made. On Linux that is ten microseconds for each, after
   * they run again.
   */
  ELAPSED_TIMES,

  /**
   * The monitors that threads own. Needs {@link Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}.
   */
  OWNED_MONITORS,

  /**
   * The monitors that threads wait for. Needs {@link Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}.
   * Together with the owned ones they tell the deadlocks over monitors.
   */
  CONTENDED_MONITORS,

  /**
   * Local variables, while threads stand still. This is the dear part: the JVM reads each variable
   * by itself, at a safepoint of its own, and walks from the top of the stack to its frame. A few
   * hundred threads stand still for hundreds of milliseconds. The frames on top are read first, and
   * after half the time that is left until the deadline the others are not. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES} and {@link Capability#CAN_SUSPEND}.
   */
  LOCAL_VARIABLES
}
