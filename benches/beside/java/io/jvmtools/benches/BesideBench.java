package io.jvmtools.benches;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpPart;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.dump.FiledThreads;
import io.jvmtools.functions.dump.PrintedThreads;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.ObjectName;

/**
 * Our dump of 2,000 platform and 20,000 virtual threads at rest, beside those of the JVM and the
 * JDK: time, size, standstill, what each tells, and what of theirs ours does not have.
 */
public final class BesideBench {

  private static final int PLATFORM = 2_000;
  private static final int VIRTUAL = 20_000;
  private static final int ROUNDS = 3;
  private static final int SHOWN = 10;
  private static final String ROW = "%-24s %14s %14s %14s%n";

  /** All but local variables, which neither of the others tells. */
  private static final DumpOptions OPTIONS =
      DumpOptions.defaults()
          .parts(
              DumpPart.CPU_TIMES,
              DumpPart.ELAPSED_TIMES,
              DumpPart.OWNED_MONITORS,
              DumpPart.CONTENDED_MONITORS);

  /** Since when there is a file. */
  private static final boolean HAS_FILE = Runtime.version().feature() >= 21;

  private final Path dir;
  private final Jvmti jvmti;
  private String printed = "";

  private BesideBench(Path dir, Jvmti jvmti) {
    this.dir = dir;
    this.jvmti = jvmti;
  }

  /** Takes the path of the C library. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Set<Capability> parts =
        EnumSet.of(
            Capability.CAN_SUSPEND,
            Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
            Capability.CAN_GET_CURRENT_CONTENDED_MONITOR,
            Capability.CAN_GET_MONITOR_INFO,
            Capability.CAN_GET_THREAD_CPU_TIME,
            Capability.CAN_ACCESS_LOCAL_VARIABLES);
    if (HAS_FILE) {
      parts.add(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
    }
    Crowd crowd = Crowd.atRest(PLATFORM, VIRTUAL);
    Path dir = Files.createTempDirectory("beside");
    try (Jvmti jvmti = Jvmti.open(parts)) {
      new BesideBench(dir, jvmti).compare(crowd);
    } finally {
      for (String file : new String[] {"text", "json", "print", "file"}) {
        Files.deleteIfExists(dir.resolve(file));
      }
      Files.delete(dir);
    }
    System.exit(0);
  }

  private void compare(Crowd crowd) throws Exception {
    System.out.printf("beside, JDK %s%n", Runtime.version());
    System.out.printf(ROW, "best of " + ROUNDS, "time", "standstill", "size");
    measure("ours, text", "text", this::text);
    measure("ours, JSON", "json", this::json);
    measure("Thread.print -l", "print", this::print);
    if (HAS_FILE) {
      measure("Thread.dump_to_file", "file", this::file);
    }
    ThreadDump dump = jvmti.dumps().take(OPTIONS.deadline(Duration.ofMinutes(1)));
    List<String> lines = printed.lines().toList();
    FiledThreads filed = HAS_FILE ? FiledThreads.of(dir.resolve("file")) : null;
    Map<String, Long> theirs = Told.print(lines);
    Map<String, Long> files = filed == null ? Map.of() : Told.file(filed);
    System.out.printf(ROW, "what is told", "ours", "print", "file");
    Told.ours(dump)
        .forEach(
            (what, ours) ->
                System.out.printf(
                    ROW, what, ours, theirs.getOrDefault(what, 0L), files.getOrDefault(what, 0L)));
    System.out.println(dump.consistency() + ", not known: " + dump.unknown());
    tell("of Thread.print", missingOfPrint(crowd, dump, lines));
    if (filed != null) {
      tell("of Thread.dump_to_file", missingOfFile(crowd, dump, filed));
    }
  }

  private static void tell(String whose, List<String> missing) {
    System.out.println("missing " + whose + ": " + missing.size());
    missing.stream().limit(SHOWN).forEach(line -> System.out.println("  " + line));
  }

  private static List<String> missingOfFile(Crowd crowd, ThreadDump dump, FiledThreads filed) {
    Set<Long> ids = new TreeSet<>(filed.ids());
    List<String> missing = new ArrayList<>();
    for (Thread thread : crowd.threads()) {
      DumpedThread ours = dump.thread(thread).orElseThrow();
      if (ids.contains(ours.id())) {
        missing.addAll(filed.missing(ours));
      }
    }
    return missing;
  }

  private static List<String> missingOfPrint(Crowd crowd, ThreadDump dump, List<String> lines) {
    PrintedThreads theirs = PrintedThreads.of(lines);
    PrintedThreads ours = PrintedThreads.of(dump.toString().lines().toList());
    List<String> missing = new ArrayList<>();
    crowd.threads().stream()
        .map(Thread::getName)
        .filter(theirs.named()::contains)
        .forEach(name -> missing.addAll(ours.missing(name, theirs)));
    return missing;
  }

  private void measure(String name, String file, Writing dump) throws Exception {
    long time = Long.MAX_VALUE;
    double standstill = Double.MAX_VALUE;
    Path path = dir.resolve(file);
    try (Pulse pulse = new Pulse()) {
      for (int round = 0; round < ROUNDS; round++) {
        Files.deleteIfExists(path);
        long begin = System.nanoTime();
        Stopwatch.Lap lap = pulse.time(times -> dump.to(path), 1);
        time = Math.min(time, System.nanoTime() - begin);
        standstill = Math.min(standstill, lap.elapsedNanos());
      }
    }
    System.out.printf(ROW, name, millis(time), millis(standstill), kilobytes(Files.size(path)));
  }

  private void text(Path file) throws IOException {
    Files.writeString(file, jvmti.dumps().take(OPTIONS).toString());
  }

  private void json(Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      jvmti.dumps().take(OPTIONS).writeJson(out);
    }
  }

  private void print(Path file) throws Exception {
    printed = (String) command("threadPrint", "-l");
    Files.writeString(file, printed);
  }

  private void file(Path file) throws Exception {
    command("threadDumpToFile", "-format=json", file.toString());
  }

  /** What {@code jcmd} does, without another process. */
  private static Object command(String operation, String... arguments) throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            operation,
            new Object[] {arguments},
            new String[] {String[].class.getName()});
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.0f ms", nanos / 1e6);
  }

  private static String kilobytes(long bytes) {
    return String.format(Locale.ROOT, "%,d kB", bytes / 1000);
  }

  /** A dump that goes to a file. */
  private interface Writing {
    void to(Path file) throws Exception;
  }
}
