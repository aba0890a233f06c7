package io.jvmtools;

import io.jvmtools.object.MonitorUsage;

/** LiveObjects. A part of {@link JvmTools}. */
abstract sealed class ObjectFunctions extends TimerFunctions permits HeapFunctions {

  /**
   * The memory that an object takes by itself, without what it refers to.
   *
   * @param object the object
   * @return its size in bytes, header and padding included
   */
  @JvmtiFunction("GetObjectSize")
  public static long getObjectSize(Object object) {
    return DefaultEnvironment.get().objects().size(object);
  }

  /**
   * The hash code that the JVM gives to an object, whatever its class makes of {@link
   * Object#hashCode()}.
   *
   * @param object the object
   * @return the hash code
   */
  @JvmtiFunction("GetObjectHashCode")
  public static int getObjectHashCode(Object object) {
    return DefaultEnvironment.get().objects().identityHash(object);
  }

  /**
   * Who owns the monitor of an object, and who waits for it. Adds {@link
   * Capability#CAN_GET_MONITOR_INFO}.
   *
   * @param object the object
   * @return the threads
   */
  @JvmtiFunction("GetObjectMonitorUsage")
  public static MonitorUsage getObjectMonitorUsage(Object object) {
    return DefaultEnvironment.with(Capability.CAN_GET_MONITOR_INFO).objects().monitorUsage(object);
  }
}
