package io.jvmtools.benches;

import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.dump.FiledThreads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** How much of each kind a dump tells: of ours, of the JVM's text, and of the JDK's file. */
final class Told {

  private Told() {}

  static Map<String, Long> ours(ThreadDump dump) {
    List<DumpedThread> all = dump.threads();
    Map<String, Long> told = new LinkedHashMap<>();
    told.put("platform threads", count(all, thread -> !thread.isVirtual()));
    told.put("virtual threads", count(all, DumpedThread::isVirtual));
    told.put("frames", sum(all, thread -> thread.frames().size()));
    told.put("states", (long) all.size());
    told.put(
        "what is waited for",
        count(all, thread -> thread.waitsFor().flatMap(wait -> wait.lock()).isPresent()));
    told.put(
        "whose that is",
        count(all, thread -> thread.waitsFor().flatMap(wait -> wait.owner()).isPresent()));
    told.put(
        "owned monitors",
        sum(
            all,
            thread -> thread.frames().stream().mapToLong(frame -> frame.monitors().size()).sum()));
    told.put("owned locks", sum(all, thread -> thread.ownedLocks().size()));
    told.put("CPU times", count(all, thread -> thread.cpuTime().isPresent()));
    told.put("elapsed times", count(all, thread -> thread.elapsedTime().isPresent()));
    told.put("native ids", count(all, thread -> thread.nativeId().isPresent()));
    told.put("carriers", count(all, thread -> thread.carrier().isPresent()));
    told.put("containers", count(all, thread -> thread.container().isPresent()));
    return told;
  }

  static Map<String, Long> print(List<String> lines) {
    Map<String, Long> told = new LinkedHashMap<>();
    Predicate<String> header = line -> line.startsWith("\"") && line.contains("\" #");
    told.put("platform threads", lines.stream().filter(header).count());
    told.put("frames", containing(lines, "\tat "));
    told.put("states", containing(lines, "java.lang.Thread.State: "));
    told.put(
        "what is waited for",
        containing(lines, "\t- waiting ") + containing(lines, "\t- parking to wait for "));
    told.put("owned monitors", containing(lines, "\t- locked "));
    told.put("owned locks", containing(lines, "\t- <0x"));
    told.put("CPU times", count(lines, header.and(line -> line.contains(" cpu="))));
    told.put("elapsed times", count(lines, header.and(line -> line.contains(" elapsed="))));
    told.put("native ids", count(lines, header.and(line -> line.matches(".* (nid=|\\[\\d).*"))));
    told.put("carriers", containing(lines, "Carrying virtual thread #"));
    return told;
  }

  static Map<String, Long> file(FiledThreads filed) {
    Map<String, Long> told = new LinkedHashMap<>();
    long virtual = filed.having(FiledThreads.VIRTUAL);
    // Before JDK 25 it does not say who is virtual.
    told.put(virtual == 0 ? "threads of both kinds" : "virtual threads", virtual);
    told.put("platform threads", filed.ids().size() - virtual);
    told.put("frames", filed.frames());
    told.put("states", filed.having(FiledThreads.STATE));
    told.put("what is waited for", filed.having(FiledThreads.WAITS_FOR));
    told.put("owned monitors", filed.having(FiledThreads.MONITORS));
    told.put("carriers", filed.having(FiledThreads.CARRIER));
    told.put("containers", filed.having(FiledThreads.CONTAINER));
    return told;
  }

  private static long containing(List<String> lines, String part) {
    return count(lines, line -> line.contains(part));
  }

  private static <T> long count(List<T> all, Predicate<T> has) {
    return all.stream().filter(has).count();
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> number) {
    return all.stream().mapToLong(number).sum();
  }
}
