package io.jvmtools.internal.thread;

/** Thread groups. */
public final class ThreadGroupNatives {

  private ThreadGroupNatives() {}

  /** GetTopThreadGroups. */
  public static native ThreadGroup[] getTopThreadGroups(long env);

  /** GetThreadGroupInfo, a {@link ThreadGroupFacts}. */
  public static native Object getThreadGroupInfo(long env, ThreadGroup group);

  /** GetThreadGroupChildren, a {@link ThreadGroupChildrenFacts}. */
  public static native Object getThreadGroupChildren(long env, ThreadGroup group);
}
