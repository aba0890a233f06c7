package io.jvmtools.thread;

import io.jvmtools.internal.thread.ThreadFacts;
import java.lang.ref.WeakReference;
import java.util.Optional;

/**
 * The standing facts about a thread, read at one moment.
 *
 * <p>Two values are equal if name, priority and daemon status are. The group and the class loader
 * are held weakly.
 */
public final class ThreadInfo {

  private final String name;
  private final int priority;
  private final boolean daemon;
  private final WeakReference<ThreadGroup> group;
  private final WeakReference<ClassLoader> contextClassLoader;

  ThreadInfo(ThreadFacts facts) {
    this.name = facts.name();
    this.priority = facts.priority();
    this.daemon = facts.daemon();
    this.group = new WeakReference<>(facts.group());
    this.contextClassLoader = new WeakReference<>(facts.loader());
  }

  /**
   * The name of the thread.
   *
   * @return the name, empty for a virtual thread that was given none
   */
  public String name() {
    return name;
  }

  /**
   * The priority of the thread.
   *
   * @return a number from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
   */
  public int priority() {
    return priority;
  }

  /**
   * Whether the thread lets the JVM end while it runs.
   *
   * @return whether it is a daemon thread
   */
  public boolean isDaemon() {
    return daemon;
  }

  /**
   * The group the thread belongs to.
   *
   * @return the group; empty for a thread that had ended, or if the group is no longer in memory
   */
  public Optional<ThreadGroup> group() {
    return Optional.ofNullable(group.get());
  }

  /**
   * The context class loader of the thread.
   *
   * @return the loader; empty for the bootstrap loader, or if the loader is no longer in memory
   */
  public Optional<ClassLoader> contextClassLoader() {
    return Optional.ofNullable(contextClassLoader.get());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ThreadInfo that
        && name.equals(that.name)
        && priority == that.priority
        && daemon == that.daemon;
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + priority;
  }

  /**
   * The facts in one line.
   *
   * @return for example {@code "main" priority 5, group main}
   */
  @Override
  public String toString() {
    return '"'
        + name
        + "\" priority "
        + priority
        + (daemon ? ", daemon" : "")
        + group().map(g -> ", group " + g.getName()).orElse("");
  }
}
