package io.jvmtools.thread;

import io.jvmtools.internal.Lists;
import java.util.List;

/**
 * What is directly in a thread group, read at one moment.
 *
 * @param threads the live platform threads of the group, unmodifiable; this record keeps them alive
 * @param groups the groups in it, unmodifiable; this record keeps them alive
 */
public record ThreadGroupChildren(List<Thread> threads, List<ThreadGroup> groups) {

  /**
   * Refuses {@code null} components, and copies the lists.
   *
   * @param threads the live threads of the group
   * @param groups the groups in it
   */
  public ThreadGroupChildren {
    threads = Lists.copyOf(threads, "threads");
    groups = Lists.copyOf(groups, "groups");
  }
}
