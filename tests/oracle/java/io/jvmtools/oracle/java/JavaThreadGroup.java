package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.ThreadGroupFunctions;
import java.util.Arrays;

/** What Java says itself of the stem {@code thread_group}. */
interface JavaThreadGroup extends ThreadGroupFunctions {

  /** More than any group of the scenarios has. */
  int MOST = 1024;

  @Override
  default String getTopThreadGroups() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    return Names.of(top);
  }

  @Override
  default String getThreadGroupInfo(ThreadGroup group) {
    @SuppressWarnings("removal")
    boolean daemon = group.isDaemon();
    return group.getName()
        + " max "
        + group.getMaxPriority()
        + " daemon "
        + daemon
        + " parent "
        + Names.of(group.getParent());
  }

  @Override
  default String getThreadGroupChildren(ThreadGroup group) {
    Thread[] threads = new Thread[MOST];
    ThreadGroup[] groups = new ThreadGroup[MOST];
    int threadCount = group.enumerate(threads, false);
    int groupCount = group.enumerate(groups, false);
    return "threads ["
        + Names.ofAll(Arrays.asList(threads).subList(0, threadCount))
        + "] groups ["
        + Names.ofAll(Arrays.asList(groups).subList(0, groupCount))
        + "]";
  }
}
