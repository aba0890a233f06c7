package io.jvmtools.internal.object;

/** Objects. */
public final class ObjectNatives {

  private ObjectNatives() {}

  /** GetObjectSize, in bytes. */
  public static native long getObjectSize(long env, Object object);

  /** GetObjectHashCode. */
  public static native int getObjectHashCode(long env, Object object);

  /** GetObjectMonitorUsage, a {@link MonitorFacts}. */
  public static native Object getObjectMonitorUsage(long env, Object object);
}
