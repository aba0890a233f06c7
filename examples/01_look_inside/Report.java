package io.jvmtools.examples;

import io.jvmtools.Capabilities;
import io.jvmtools.StackTrace;
import io.jvmtools.TaggedObject;
import io.jvmtools.ThreadStack;
import io.jvmtools.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was seen, in the order in which it is told.
 *
 * @param stacks everybody's stacks
 * @param cpuTimes what the platform threads have used
 * @param capabilities what this JVM allows
 * @param rows rows that were found by their tags
 * @param blockers who waits for whom, by the database's own account
 */
record Report(
    List<ThreadStack> stacks,
    Map<Thread, Duration> cpuTimes,
    Capabilities capabilities,
    List<TaggedRow> rows,
    Map<String, String> blockers) {

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

  /** What a thread has used of the processors, and its share of what all have used. */
  record CpuTime(String thread, Duration time, double share) {}

  /** The threads that run code of the program, those with the same stack together. */
  List<Group> groups(Doing doing) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    stacks.stream()
        .filter(stack -> !isOfJvm(stack) && doing(stack) == doing)
        .sorted(Comparator.comparing(stack -> stack.thread().getName()))
        .forEach(
            stack ->
                groups
                    .computeIfAbsent(
                        List.of(stack.state(), stack.trace()),
                        key -> new Group(new ArrayList<>(), stack.state(), stack.trace()))
                    .threads()
                    .add(stack.thread().getName()));
    return List.copyOf(groups.values());
  }

  /** The threads that run nothing but the JDK. */
  List<String> threadsOfJvm() {
    return stacks.stream()
        .filter(Report::isOfJvm)
        .map(stack -> stack.thread().getName())
        .sorted()
        .toList();
  }

  /** Processor time, the most first. */
  List<CpuTime> cpuTable() {
    long total = Math.max(1, cpuTimes.values().stream().mapToLong(Duration::toNanos).sum());
    return cpuTimes.entrySet().stream()
        .map(e -> new CpuTime(e.getKey().getName(), e.getValue(), share(e.getValue(), total)))
        .sorted(Comparator.comparing(CpuTime::time).reversed())
        .toList();
  }

  private static double share(Duration time, long totalNanos) {
    return (double) time.toNanos() / totalNanos;
  }

  private static Doing doing(ThreadStack stack) {
    if (stack.state().isBlockedOnMonitorEnter()) {
      return Doing.BLOCKED;
    }
    return stack.state().isWaiting() ? Doing.WAITING : Doing.RUNNING;
  }

  private static boolean isOfJvm(ThreadStack stack) {
    return stack.trace().stream().allMatch(frame -> isOfJdk(frame.module().orElse("")));
  }

  private static boolean isOfJdk(String module) {
    return module.startsWith("java.") || module.startsWith("jdk.");
  }
}
