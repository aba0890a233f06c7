package io.jvmtools.internal.stack;

import org.jspecify.annotations.Nullable;

/** Stacks, packed as {@link PackedFrames} reads them. A null thread is the current one. */
public final class FrameNatives {

  private FrameNatives() {}

  /** GetStackTrace. */
  public static native long[] getStackTrace(
      long env, @Nullable Thread thread, int startDepth, int maxFrames);

  /** GetAllStackTraces, a {@link StackFacts}. */
  public static native Object getAllStackTraces(long env, int maxFrames);

  /** GetThreadListStackTraces, a {@link StackFacts}. */
  public static native Object getThreadListStackTraces(long env, Thread[] threads, int maxFrames);

  /** GetFrameCount. */
  public static native int getFrameCount(long env, @Nullable Thread thread);

  /** GetFrameLocation: {method id, location}. */
  public static native long[] getFrameLocation(long env, @Nullable Thread thread, int depth);
}
