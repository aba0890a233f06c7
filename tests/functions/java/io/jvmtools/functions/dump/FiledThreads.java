package io.jvmtools.functions.dump;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.DumpedWait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the JDK has written of threads, {@code Thread.dump_to_file -format=json}, fact by fact; and
 * the same facts of a dump of ours. What a release does not write is no fact of its threads.
 */
public final class FiledThreads {

  private static final String NAME = "name";
  public static final String VIRTUAL = "virtual";
  public static final String STATE = "state";
  public static final String WAITS_FOR = "waits for";
  public static final String MONITORS = "owned monitors";
  public static final String CARRIER = "carrier";
  public static final String CONTAINER = "container";
  public static final String CONTAINER_OWNER = "owner of its container";

  private static final String ROOT = "<root>";

  private final Map<Long, Map<String, String>> facts = new LinkedHashMap<>();
  private final Map<Long, List<String>> stacks = new LinkedHashMap<>();

  private FiledThreads() {}

  public static FiledThreads of(Path file) throws IOException {
    FiledThreads filed = new FiledThreads();
    JsonNode dump = new ObjectMapper().readTree(file.toFile()).get("threadDump");
    for (JsonNode container : dump.get("threadContainers")) {
      for (JsonNode thread : container.get("threads")) {
        long id = thread.get("tid").asLong();
        List<String> stack = new ArrayList<>();
        thread.get("stack").forEach(frame -> stack.add(plain(frame.asText())));
        filed.stacks.put(id, stack);
        Map<String, String> facts = theirs(thread, stack, container.get(CONTAINER).asText());
        if (container.hasNonNull("owner")) {
          facts.put(CONTAINER_OWNER, container.get("owner").asText());
        }
        filed.facts.put(id, facts);
      }
    }
    return filed;
  }

  /** Ids of all of them. */
  public List<Long> ids() {
    return List.copyOf(facts.keySet());
  }

  /** Of how many threads it tells a fact. */
  public long having(String fact) {
    return facts.values().stream().filter(told -> told.containsKey(fact)).count();
  }

  /** How many frames it tells, of all threads. */
  public long frames() {
    return stacks.values().stream().mapToLong(List::size).sum();
  }

  /** What the file says of it and our dump does not, or says otherwise; a line for each. */
  public List<String> missing(DumpedThread thread) {
    Map<String, String> ours = ours(thread);
    List<String> missing = new ArrayList<>();
    facts
        .get(thread.id())
        .forEach(
            (fact, theirs) -> {
              if (!theirs.equals(ours.get(fact))) {
                missing.add(
                    thread.name() + ", " + fact + ": " + theirs + ", ours " + ours.get(fact));
              }
            });
    Iterator<String> frames = thread.frames().stream().map(FiledThreads::text).iterator();
    for (String frame : stacks.get(thread.id())) {
      if (!isAmong(frame, frames)) {
        missing.add(thread.name() + ", frame: " + frame);
      }
    }
    return missing;
  }

  /** Looks on from there: the file leaves out what the JVM has made up, and what is hidden. */
  private static boolean isAmong(String frame, Iterator<String> others) {
    while (others.hasNext()) {
      if (frame.equals(others.next())) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, String> theirs(JsonNode thread, List<String> stack, String container) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(NAME, thread.get(NAME).asText());
    for (String fact : new String[] {VIRTUAL, STATE, CARRIER}) {
      if (thread.has(fact)) {
        facts.put(fact, thread.get(fact).asText());
      }
    }
    if (!container.equals(ROOT)) {
      facts.put(CONTAINER, container);
    }
    for (String wait : new String[] {"blockedOn", "waitingOn"}) {
      if (thread.has(wait)) {
        facts.put(WAITS_FOR, thread.get(wait).asText());
      }
    }
    if (thread.has("parkBlocker")) {
      facts.put(WAITS_FOR, thread.get("parkBlocker").get("object").asText());
    }
    if (thread.has("monitorsOwned")) {
      String given = thread.path("waitingOn").asText();
      putIfAny(facts, monitors(thread.get("monitorsOwned"), stack, given));
    }
    return facts;
  }

  /** Without the one that it waits on, and has given back: the file has it all the same. */
  private static List<String> monitors(JsonNode owned, List<String> stack, String waitsOn) {
    List<String> monitors = new ArrayList<>();
    for (JsonNode entered : owned) {
      int depth = entered.get("depth").asInt();
      boolean calledWait = depth > 0 && stack.get(depth - 1).startsWith("java.lang.Object.wait");
      // Of a compiled frame the file does not know what it waits on: then it is the innermost.
      String given =
          waitsOn.isEmpty() && calledWait ? entered.get("locks").get(0).asText() : waitsOn;
      for (JsonNode lock : entered.get("locks")) {
        if (!lock.asText().equals(given)) {
          monitors.add(stack.get(depth) + " " + lock.asText());
        }
      }
    }
    return monitors;
  }

  private static Map<String, String> ours(DumpedThread thread) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(NAME, thread.name());
    if (thread.isVirtual()) {
      facts.put(VIRTUAL, "true");
    }
    facts.put(STATE, thread.javaState().name());
    thread.carrier().ifPresent(carrier -> facts.put(CARRIER, Long.toString(carrier.id())));
    thread.container().ifPresent(container -> facts.put(CONTAINER, container));
    thread
        .containerOwner()
        .ifPresent(owner -> facts.put(CONTAINER_OWNER, Long.toString(owner.id())));
    Optional<DumpedLock> wanted = thread.waitsFor().flatMap(DumpedWait::lock);
    wanted.ifPresent(lock -> facts.put(WAITS_FOR, name(lock)));
    putIfAny(facts, monitors(thread.frames()));
    return facts;
  }

  private static String text(DumpedFrame frame) {
    return plain(frame.frame().toStackTraceElement().toString());
  }

  private static List<String> monitors(List<DumpedFrame> frames) {
    List<String> monitors = new ArrayList<>();
    for (DumpedFrame frame : frames) {
      for (DumpedLock lock : frame.monitors()) {
        monitors.add(text(frame) + " " + name(lock));
      }
    }
    return monitors;
  }

  private static void putIfAny(Map<String, String> facts, List<String> monitors) {
    if (!monitors.isEmpty()) {
      facts.put(MONITORS, monitors.toString());
    }
  }

  private static String name(DumpedLock lock) {
    return lock.className() + "@" + Integer.toHexString(lock.identityHash());
  }

  /** Without the class loader's name, and the module's version. */
  private static String plain(String frame) {
    return frame.replaceFirst("^app/", "").replaceFirst("^/?[\\w.]*(@[^/]*)?/", "");
  }
}
