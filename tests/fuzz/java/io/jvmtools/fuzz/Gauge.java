package io.jvmtools.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What a leak would make grow.
 *
 * @param memoryKb memory of the process, without what is read from files
 * @param heapKb what is alive in the Java heap, whose memory the process may have from the start
 * @param globals JNI global references
 * @param weaks weak JNI global references
 * @param threads threads of the process, but for those that the JVM starts as it has work for them
 * @param mappings mapped files and other memory areas
 */
public record Gauge(
    long memoryKb, long heapKb, long globals, long weaks, long threads, long mappings) {

  /**
   * For many thousand calls of all methods: what the compilers and the allocator may need, less
   * than two kilobytes a call; and of threads that have ended a few are remembered weakly until
   * there are more.
   */
  public static final Gauge MOST_OF_MANY = new Gauge(48 << 10, 24 << 10, 15, 40, 6, 60);

  private static final long UNKNOWN = -1;
  private static final Pattern REFERENCES =
      Pattern.compile("JNI global refs: (\\d+), weak refs: (\\d+)");
  private static final Pattern ANONYMOUS = Pattern.compile("Anonymous:\\s+(\\d+) kB");

  /** Compilers, collectors, and the carriers of virtual threads, by what the system calls them. */
  private static final Pattern STARTED_FOR_WORK =
      Pattern.compile("C[12] Compiler.*|GC Thread.*|G1 .*|Z.*#.*|RuntimeWorker.*|ForkJoinPool-.*");

  /** Collects garbage and looks. */
  public static Gauge read() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    // What the allocator keeps would hide a leak until it is used up.
    command("systemTrimNativeHeap");
    Matcher references = REFERENCES.matcher(command("threadPrint", (Object) new String[0]));
    boolean known = references.find();
    Runtime runtime = Runtime.getRuntime();
    return new Gauge(
        number(ANONYMOUS, "smaps_rollup"),
        (runtime.totalMemory() - runtime.freeMemory()) >> 10,
        known ? Long.parseLong(references.group(1)) : UNKNOWN,
        known ? Long.parseLong(references.group(2)) : UNKNOWN,
        countThreads(),
        ofThisProcess("maps").lines().count());
  }

  /** What has grown more than it may since an earlier reading. */
  public List<String> grownSince(Gauge before, Gauge most) {
    List<String> grown = new ArrayList<>();
    compare("memory in KB", before.memoryKb, memoryKb, most.memoryKb, grown);
    compare("Java heap in KB", before.heapKb, heapKb, most.heapKb, grown);
    compare("JNI global references", before.globals, globals, most.globals, grown);
    compare("weak JNI global references", before.weaks, weaks, most.weaks, grown);
    compare("threads", before.threads, threads, most.threads, grown);
    compare("mappings", before.mappings, mappings, most.mappings, grown);
    return grown;
  }

  /** With all that has grown since an earlier reading added to it. */
  public Gauge plusGrowth(Gauge before, Gauge after) {
    return new Gauge(
        memoryKb + Math.max(0, after.memoryKb - before.memoryKb),
        heapKb + Math.max(0, after.heapKb - before.heapKb),
        globals + Math.max(0, after.globals - before.globals),
        weaks + Math.max(0, after.weaks - before.weaks),
        threads + Math.max(0, after.threads - before.threads),
        mappings + Math.max(0, after.mappings - before.mappings));
  }

  private static void compare(String what, long before, long after, long most, List<String> grown) {
    if (after - before > most) {
      grown.add(what + ": " + before + " before, " + after + " after, most " + most + " more");
    }
  }

  private static long number(Pattern pattern, String file) {
    Matcher matcher = pattern.matcher(ofThisProcess(file));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : UNKNOWN;
  }

  private static long countThreads() {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks
          .map(Gauge::name)
          .filter(name -> !name.isEmpty() && !STARTED_FOR_WORK.matcher(name).matches())
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty if it has ended. */
  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String ofThisProcess(String file) {
    try {
      return Files.readString(Path.of("/proc/self", file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What a diagnostic command answers, the only text in which HotSpot tells these numbers; empty
   * where the runtime has none.
   */
  private static String command(String name, Object... arguments) {
    String[] types = arguments.length == 0 ? new String[0] : new String[] {"[Ljava.lang.String;"};
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  name,
                  arguments,
                  types);
    } catch (JMException e) {
      return "";
    }
  }
}
