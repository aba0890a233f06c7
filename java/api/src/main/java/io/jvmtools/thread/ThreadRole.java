package io.jvmtools.thread;

import io.jvmtools.internal.thread.Carriers;
import io.jvmtools.internal.thread.Errand;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whose a thread is. */
public enum ThreadRole {
  /**
   * The program's own, virtual threads and pools among them, also the workers of the common pool.
   */
  PROGRAM,

  /** One that the JVM or its class library has started for itself. */
  JVM,

  /** A platform thread on which the scheduler of virtual threads runs them. */
  CARRIER,

  /** One of this library: {@code jvmtools-steward}, {@code jvmtools-watchdog} and the like. */
  JVMTOOLS;

  /** What the JVM calls the thread that waits for the others before it ends. */
  private static final String LAST = "DestroyJavaVM";

  private static final Set<String> OURS =
      Set.of(
          "jvmtools-steward",
          "jvmtools-watchdog",
          "jvmtools-events",
          "jvmtools-disposal",
          Errand.PLACES,
          Errand.SNAPSHOTS);

  /** Of the class library: those that wait for something, and those that start what is due. */
  private static final Set<String> JDK_OWN =
      Set.of("jdk.internal.misc.InnocuousThread", "java.util.concurrent.DelayScheduler");

  /**
   * The group of those that serve remote calls, and of what these start: some by the JDK itself.
   */
  private static final String REMOTE = "RMI Runtime";

  private static final List<String> REMOTE_NAMES = List.of("RMI ", "JMX server ");

  /** What others than the JVM could call a thread, too: so it must be a plain one. */
  private static final Set<String> JDK_NAMES =
      Set.of(
          LAST, "CompletableFutureDelayScheduler", "FileSystemWatchService", "JFR Periodic Tasks");

  /**
   * The role of a thread.
   *
   * @param thread the thread
   * @param name its name
   * @param group its group, null if it has ended
   * @param top the groups that have no parent: programs have theirs below
   */
  static ThreadRole of(Thread thread, String name, @Nullable ThreadGroup group, ThreadGroup[] top) {
    String type = thread.getClass().getName();
    boolean isOnTop = group != null && Arrays.asList(top).contains(group);
    boolean isRemote =
        group != null
            && group.getClass() == ThreadGroup.class
            && group.getName().equals(REMOTE)
            && REMOTE_NAMES.stream().anyMatch(name::startsWith);
    if (Carriers.is(thread)) {
      return CARRIER;
    }
    // Those that native code attaches are in the program's own group.
    boolean isPlain = thread.getClass() == Thread.class;
    if (isPlain && OURS.contains(name)) {
      return JVMTOOLS;
    }
    return isOnTop
            || (isPlain && isRemote)
            || JDK_OWN.contains(type)
            || (isPlain && JDK_NAMES.contains(name))
        ? JVM
        : PROGRAM;
  }
}
