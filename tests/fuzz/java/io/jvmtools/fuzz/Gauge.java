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
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What a leak would make grow.
 *
 * @param residentKb memory of the process
 * @param globals JNI global references
 * @param weaks weak JNI global references
 * @param threads live platform threads
 */
public record Gauge(long residentKb, long globals, long weaks, int threads) {

  /** What the compilers and the allocator may need; less than two kilobytes a call. */
  private static final long MOST_KB = 48 << 10;

  /** Of threads that have ended a few are remembered weakly until there are more. */
  private static final long MOST_WEAK = 40;

  private static final long MOST_REFERENCES = 15;
  private static final int MOST_THREADS = 6;
  private static final long UNKNOWN = -1;
  private static final Pattern REFERENCES =
      Pattern.compile("JNI global refs: (\\d+), weak refs: (\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  /** Collects garbage and looks. */
  public static Gauge read() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    Matcher references = REFERENCES.matcher(threadPrint());
    boolean known = references.find();
    return new Gauge(
        resident(),
        known ? Long.parseLong(references.group(1)) : UNKNOWN,
        known ? Long.parseLong(references.group(2)) : UNKNOWN,
        Thread.getAllStackTraces().size());
  }

  /** What has grown more than it may since an earlier reading. */
  public List<String> grownSince(Gauge before) {
    List<String> grown = new ArrayList<>();
    compare("memory in KB", before.residentKb, residentKb, MOST_KB, grown);
    compare("JNI global references", before.globals, globals, MOST_REFERENCES, grown);
    compare("weak JNI global references", before.weaks, weaks, MOST_WEAK, grown);
    compare("threads", before.threads, threads, MOST_THREADS, grown);
    return grown;
  }

  private static void compare(String what, long before, long after, long most, List<String> grown) {
    if (after - before > most) {
      grown.add(what + ": " + before + " before, " + after + " after, most " + most + " more");
    }
  }

  private static long resident() {
    try {
      Matcher matcher = RESIDENT.matcher(Files.readString(Path.of("/proc/self/status")));
      return matcher.find() ? Long.parseLong(matcher.group(1)) : UNKNOWN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The only text in which HotSpot tells these numbers; empty where the runtime has no jcmd. */
  private static String threadPrint() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      return "";
    }
  }
}
