package io.jvmtools.functions.dump;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a thread dump, ours or that of the JVM, without what differs by design. */
public final class PrintedThreads {

  private static final Pattern HEADER =
      Pattern.compile("\"(.*)\" #(\\d+)(?: \\[\\d+])?( daemon)? prio=(\\d+).*");

  private final Map<String, List<String>> blocks = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Map<String, Long> nativeIds = new LinkedHashMap<>();

  /** In brackets too since 21, where the header of a carrier has only that. */
  private static final Pattern NATIVE_ID =
      Pattern.compile("( nid=|#\\d+ \\[)(0x[0-9a-f]+|\\d+)( |\\]|$)");

  private PrintedThreads() {}

  public static PrintedThreads of(List<String> text) {
    PrintedThreads threads = new PrintedThreads();
    List<String> block = new ArrayList<>();
    for (String line : text) {
      Matcher header = HEADER.matcher(line);
      if (header.matches()) {
        block = new ArrayList<>();
        String daemon = header.group(3) == null ? "" : " daemon";
        threads.blocks.put(header.group(1), block);
        threads.headers.put(
            header.group(1), "#" + header.group(2) + daemon + " prio=" + header.group(4));
        Matcher id = NATIVE_ID.matcher(line);
        if (id.find()) {
          threads.nativeIds.put(header.group(1), Long.decode(id.group(2)));
        }
      } else if (line.startsWith("Found ") || line.startsWith("JNI global")) {
        block = new ArrayList<>();
      } else {
        block.add(line);
      }
    }
    return threads;
  }

  /** The names of all platform threads: the JVM's dump has no virtual ones. */
  public Set<String> named() {
    Set<String> names = new TreeSet<>(blocks.keySet());
    names.removeIf(name -> name.isEmpty() || name.startsWith("virtual"));
    return names;
  }

  /** Those of {@link Standstill} that the JVM's dump has too: platform threads. */
  Set<String> standing() {
    Set<String> names = new TreeSet<>();
    blocks.forEach(
        (name, block) -> {
          boolean ofIt = block.stream().anyMatch(line -> line.contains(".Standstill."));
          if (ofIt && !name.equals("main") && !name.startsWith("virtual")) {
            names.add(name);
          }
        });
    return names;
  }

  /** Number, daemon, priority. */
  String header(String name) {
    return headers.get(name);
  }

  /** Its number in the operating system; null if there is none. */
  Long nativeId(String name) {
    return nativeIds.get(name);
  }

  /** The line with the state. */
  String state(String name) {
    return blocks.get(name).get(0).strip();
  }

  /** Frames and what is locked there, without addresses and owners. */
  List<String> lines(String name, boolean withMonitors) {
    List<String> lines = new ArrayList<>();
    boolean waits = blocks.get(name).stream().anyMatch(line -> line.contains("- waiting on "));
    for (String line : blocks.get(name)) {
      String plain =
          line.strip()
              .replaceAll("<0x[0-9a-f]+> ?", "")
              .replaceAll(" owned by .*", "")
              .replaceAll("for +\\(", "for (")
              .replaceAll("- waiting on .*", "- waiting on")
              .replaceAll("java\\.base(@[^/]*)?/", "");
      boolean monitor = plain.startsWith("- locked") || plain.startsWith("- waiting");
      // The JVM shows the monitor that a thread has given back to wait for a notification.
      boolean givenBack = waits && plain.startsWith("- locked");
      boolean none = plain.isEmpty() || plain.equals("- None") || plain.endsWith("synchronizers:");
      if (!none && !givenBack && (withMonitors || !monitor)) {
        lines.add(plain);
      }
    }
    return lines;
  }

  /** What {@code theirs} says of one and this does not, or says otherwise; a line for each. */
  public List<String> missing(String name, PrintedThreads theirs) {
    List<String> missing = new ArrayList<>();
    if (!theirs.header(name).equals(header(name))) {
      missing.add(name + ": " + theirs.header(name) + ", ours " + header(name));
    }
    if (!Objects.equals(theirs.nativeId(name), nativeId(name))) {
      missing.add(name + ": nid=" + theirs.nativeId(name) + ", ours " + nativeId(name));
    }
    if (!theirs.state(name).equals(state(name))) {
      missing.add(name + ": " + theirs.state(name) + ", ours " + state(name));
    }
    List<String> lines = new ArrayList<>(theirs.lines(name, true));
    lines(name, true).forEach(lines::remove);
    lines.forEach(line -> missing.add(name + ": " + line));
    return missing;
  }
}
