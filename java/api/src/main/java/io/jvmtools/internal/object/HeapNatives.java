package io.jvmtools.internal.object;

/** Tags. */
public final class HeapNatives {

  private HeapNatives() {}

  /** GetTag. */
  public static native long getTag(long env, Object object);

  /** SetTag. */
  public static native void setTag(long env, Object object, long tag);

  /** GetObjectsWithTags, a {@link TagFacts}. */
  public static native Object getObjectsWithTags(long env, long[] tags);
}
