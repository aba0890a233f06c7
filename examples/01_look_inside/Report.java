package io.jvmtools.examples;

import io.jvmtools.Capabilities;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedName;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.event.ProfileSnapshot;
import io.jvmtools.objects.TaggedObject;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.thread.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen, in the order in which it is told.
 *
 * @param dump what everybody does and waits for
 * @param standing where some of those who wait stand, and what they hold
 * @param blockers who waits for whom, by the database's own account
 * @param allocations what the reports allocate, and where
 * @param failed a statement that fails, and where
 * @param capabilities what this JVM allows
 * @param rows rows that were found by their tags
 * @param onTheFly a class that was another one for a moment
 */
record Report(
    ThreadDump dump,
    List<Standing> standing,
    Map<String, String> blockers,
    ProfileSnapshot allocations,
    Failed failed,
    Capabilities capabilities,
    List<TaggedRow> rows,
    OnTheFly onTheFly) {

  /** What a thread is doing, as a person would sort it. */
  enum Doing {
    RUNNING,
    BLOCKED,
    WAITING
  }

  /** A row object with its tag, and what the JVM knows of it. */
  record TaggedRow(TaggedObject tagged, long bytes, int identityHash) {}

  /** Threads that do the same in the same place. */
  record Group(List<String> threads, ThreadState state, StackTrace trace) {}

  /** A lock that threads wait for, who holds it, and where he got it. */
  record Lock(
      DumpedLock lock, List<String> waiting, DumpedName holder, Optional<StackFrame> where) {}

  /** What a thread has used of the processors, and its share of what all have used. */
  record CpuTime(String thread, Duration time, double share) {}

  /** The threads that run code of the program, those with the same stack together. */
  List<Group> groups(Doing doing) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    dump.threads().stream()
        .filter(thread -> !isOfJvm(thread) && doing(thread) == doing)
        .sorted(Comparator.comparing(DumpedThread::name))
        .forEach(
            thread ->
                groups
                    .computeIfAbsent(
                        List.of(thread.state(), thread.stack()),
                        key -> new Group(new ArrayList<>(), thread.state(), thread.stack()))
                    .threads()
                    .add(thread.name()));
    return List.copyOf(groups.values());
  }

  /** The locks that somebody waits for and somebody else holds. */
  List<Lock> locks() {
    Map<List<Object>, Lock> locks = new LinkedHashMap<>();
    for (DumpedThread thread : dump.threads()) {
      thread
          .waitsFor()
          .filter(wait -> wait.lock().isPresent() && wait.owner().isPresent())
          .ifPresent(
              wait -> {
                DumpedLock lock = wait.lock().get();
                DumpedName holder = wait.owner().get();
                locks
                    .computeIfAbsent(
                        List.of(lock, holder),
                        key -> new Lock(lock, new ArrayList<>(), holder, where(lock, holder)))
                    .waiting()
                    .add(thread.name());
              });
    }
    return List.copyOf(locks.values());
  }

  private Optional<StackFrame> where(DumpedLock lock, DumpedName holder) {
    return dump.threads().stream()
        .filter(thread -> thread.id() == holder.id())
        .flatMap(thread -> thread.frames().stream())
        .filter(frame -> frame.monitors().contains(lock))
        .map(DumpedFrame::frame)
        .findFirst();
  }

  /** The threads that run nothing but the JDK, or hand over snapshots. */
  List<String> threadsOfJvm() {
    return dump.threads().stream()
        .filter(Report::isOfJvm)
        .map(DumpedThread::name)
        .sorted()
        .toList();
  }

  /** Processor time of the platform threads, the most first. */
  List<CpuTime> cpuTable() {
    List<DumpedThread> timed =
        dump.threads().stream().filter(thread -> thread.cpuTime().isPresent()).toList();
    long total = Math.max(1, timed.stream().mapToLong(thread -> time(thread).toNanos()).sum());
    return timed.stream()
        .map(thread -> new CpuTime(thread.name(), time(thread), share(time(thread), total)))
        .sorted(Comparator.comparing(CpuTime::time).reversed())
        .toList();
  }

  private static Duration time(DumpedThread thread) {
    return thread.cpuTime().orElseThrow();
  }

  private static double share(Duration time, long totalNanos) {
    return (double) time.toNanos() / totalNanos;
  }

  private static Doing doing(DumpedThread thread) {
    if (thread.state().isBlockedOnMonitorEnter()) {
      return Doing.BLOCKED;
    }
    return thread.state().isWaiting() ? Doing.WAITING : Doing.RUNNING;
  }

  private static boolean isOfJvm(DumpedThread thread) {
    return thread.stack().stream()
        .allMatch(frame -> isOfJdk(frame.module().orElse("")) || handsOver(frame));
  }

  /** A thread of the library, which ends when it has nothing more to do. */
  private static boolean handsOver(StackFrame frame) {
    return frame.className().startsWith("io.jvmtools.snapshot.");
  }

  private static boolean isOfJdk(String module) {
    return module.startsWith("java.") || module.startsWith("jdk.");
  }
}
