package io.jvmtools.thread;

import io.jvmtools.internal.thread.ThreadGroupFacts;
import java.lang.ref.WeakReference;
import java.util.Optional;

/**
 * The standing facts about a thread group, read at one moment.
 *
 * <p>Two values are equal if name, maximum priority and daemon status are. The parent is held
 * weakly.
 */
public final class ThreadGroupInfo {

  private final String name;
  private final int maxPriority;
  private final boolean daemon;
  private final WeakReference<ThreadGroup> parent;

  ThreadGroupInfo(ThreadGroupFacts facts) {
    this.name = facts.name();
    this.maxPriority = facts.maxPriority();
    this.daemon = facts.daemon();
    this.parent = new WeakReference<>(facts.parent());
  }

  /**
   * The name of the group.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * The greatest priority that a thread of the group can be given.
   *
   * @return a number from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
   */
  public int maxPriority() {
    return maxPriority;
  }

  /**
   * Whether it was made a daemon group, which means nothing from JDK 19 on.
   *
   * @return whether it is a daemon group
   */
  public boolean isDaemon() {
    return daemon;
  }

  /**
   * The group that the group is in.
   *
   * @return the group; empty for a top-level group, or if the parent is no longer in memory
   */
  public Optional<ThreadGroup> parent() {
    return Optional.ofNullable(parent.get());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ThreadGroupInfo that
        && name.equals(that.name)
        && maxPriority == that.maxPriority
        && daemon == that.daemon;
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + maxPriority;
  }

  /**
   * The facts in one line.
   *
   * @return for example {@code "main" maximum priority 10, in group system}
   */
  @Override
  public String toString() {
    return '"'
        + name
        + "\" maximum priority "
        + maxPriority
        + (daemon ? ", daemon" : "")
        + parent().map(group -> ", in group " + group.getName()).orElse("");
  }
}
