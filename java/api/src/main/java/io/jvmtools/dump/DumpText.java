package io.jvmtools.dump;

import io.jvmtools.internal.Escapes;
import io.jvmtools.internal.Nanos;
import io.jvmtools.thread.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** A dump as text, in the format of the JVM's own, which tools can read. */
final class DumpText {

  private static final String NL = System.lineSeparator();
  private static final int NAMED_AT_MOST = 5;

  /** How wide sentences are, at most. */
  private static final int WIDTH = 100;

  private static final String INDENT = "  ";

  /** What stands below the last frame of a stack that is cut. */
  static final String DEEPER = "\t... deeper frames were not asked for";

  private final StringBuilder text = new StringBuilder();

  /** Whether it writes of locks no more than what those of several threads have in common. */
  private final boolean ofSeveral;

  private DumpText() {
    this(false);
  }

  private DumpText(boolean ofSeveral) {
    this.ofSeveral = ofSeveral;
  }

  /** Threads that do the same thing at the same place. */
  private static final class Group {

    private final String common;
    private final String body;
    private final List<DumpedThread> threads = new ArrayList<>();
    private boolean isSame = true;

    /** Of one thread, with what it has in common with the others. */
    Group(String common, String body) {
      this.common = common;
      this.body = body;
    }

    void add(DumpedThread thread, String itsBody) {
      threads.add(thread);
      isSame &= itsBody.equals(body);
    }

    String text() {
      return isSame ? body : common;
    }
  }

  static String of(ThreadDump dump) {
    DumpText writer = new DumpText();
    writer.beginning(dump);
    for (DumpedThread thread : dump.threads()) {
      writer.text.append(NL).append(NL);
      writer.thread(thread);
    }
    writer.end(dump);
    return writer.text.toString();
  }

  static String grouped(ThreadDump dump) {
    DumpText writer = new DumpText();
    writer.beginning(dump);
    Map<String, Group> groups = new LinkedHashMap<>();
    for (DumpedThread thread : dump.threads()) {
      String body = bodyOf(thread, false);
      groups
          .computeIfAbsent(bodyOf(thread, true), common -> new Group(common, body))
          .add(thread, body);
    }
    groups.values().forEach(writer::group);
    writer.end(dump);
    return writer.text.toString();
  }

  private static String bodyOf(DumpedThread thread, boolean ofSeveral) {
    DumpText writer = new DumpText(ofSeveral);
    writer.deeds(thread);
    writer.body(thread);
    return writer.text.toString();
  }

  static String of(DumpedThread thread) {
    DumpText writer = new DumpText();
    writer.thread(thread);
    return writer.text.toString();
  }

  static String of(DumpedFrame frame) {
    DumpText writer = new DumpText();
    writer.text.append(frame.frame());
    writer.contents(frame);
    return writer.text.toString();
  }

  private void beginning(ThreadDump dump) {
    text.append(dump.takenAt()).append(NL);
    text.append("Thread dump of ");
    dump.processId().ifPresent(id -> text.append("process ").append(id).append(", "));
    text.append(dump.vm());
    text.append(": ").append(dump.consistency().sentence());
  }

  private void end(ThreadDump dump) {
    if (dump.hasDeadlocks()) {
      text.append(NL).append(NL);
      DeadlockText.append(text, dump.deadlocks());
    }
    text.append(NL).append(NL).append(counts(dump.threads()));
    if (!dump.hasDeadlocks()) {
      text.append(NL)
          .append(dump.deadlocksKnown() ? "No deadlocks" : "Deadlocks: not all are known");
    }
    for (String line : dump.unknown()) {
      text.append(NL);
      filled("Not known: " + line);
    }
  }

  /** In lines that fit a terminal. */
  private void filled(String line) {
    int column = 0;
    for (String word : line.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        text.append(NL).append(INDENT);
        column = INDENT.length();
      } else if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
  }

  private void group(Group group) {
    List<DumpedThread> threads = group.threads;
    text.append(NL).append(NL);
    if (threads.size() == 1) {
      header(threads.get(0));
    } else {
      StringJoiner names = new StringJoiner(", ");
      threads.stream().limit(NAMED_AT_MOST).forEach(one -> names.add(one.asName().toString()));
      text.append(threads.size()).append(" threads: ").append(names);
      int more = threads.size() - NAMED_AT_MOST;
      text.append(more > 0 ? " and " + more + " more" : "");
    }
    text.append(group.text());
  }

  private void thread(DumpedThread thread) {
    header(thread);
    deeds(thread);
    body(thread);
  }

  private void header(DumpedThread thread) {
    text.append(thread.asName());
    text.append(thread.isDaemon() ? " daemon" : "");
    text.append(" prio=").append(thread.priority());
    text.append(thread.isVirtual() ? " virtual" : "");
    thread.cpuTime().ifPresent(cpu -> text.append(" cpu=").append(milliseconds(cpu)));
    thread.elapsedTime().ifPresent(age -> text.append(" elapsed=").append(seconds(age)));
    thread.nativeId().ifPresent(id -> text.append(" nid=").append(id));
    thread.carrier().ifPresent(carrier -> text.append(" carrier=").append(carrier));
    thread.carried().ifPresent(carried -> text.append(" carries=").append(carried));
    thread.container().ifPresent(by -> text.append(" container=").append(Escapes.line(by)));
    thread.containerOwner().ifPresent(owner -> text.append(" of ").append(owner));
  }

  /** What others have done to it, which a group has in common as well. */
  private void deeds(DumpedThread thread) {
    text.append(thread.state().isInterrupted() ? " interrupted" : "");
    text.append(thread.state().isSuspended() ? " suspended" : "");
  }

  private void body(DumpedThread thread) {
    text.append(NL).append("   java.lang.Thread.State: ").append(state(thread.state()));
    List<DumpedFrame> frames = thread.frames();
    if (frames.isEmpty()) {
      waitsFor(thread);
    }
    for (int depth = 0; depth < frames.size(); depth++) {
      text.append(NL).append("\tat ").append(frames.get(depth).frame());
      if (depth == 0) {
        waitsFor(thread);
      }
      contents(frames.get(depth));
    }
    text.append(thread.hasMoreFrames() ? NL + DEEPER : "");
    String by = thread.hasMoreFrames() ? "native code or deeper frames" : "native code";
    locks("Locked by " + by, thread.monitorsOfNoFrame());
    locks("Locked ownable synchronizers", thread.ownedLocks());
  }

  private void waitsFor(DumpedThread thread) {
    thread.waitsFor().ifPresent(wait -> text.append(NL).append("\t- ").append(words(wait)));
  }

  private void contents(DumpedFrame frame) {
    for (DumpedLock lock : frame.monitors()) {
      text.append(NL).append("\t- locked ").append(words(lock));
    }
    for (DumpedLocal local : frame.locals()) {
      text.append(NL).append("\t  ").append(local);
    }
  }

  private void locks(String heading, List<DumpedLock> locks) {
    if (!locks.isEmpty()) {
      text.append(NL).append(NL).append("   ").append(heading).append(':');
      locks.forEach(lock -> text.append(NL).append("\t- ").append(words(lock)));
    }
  }

  private String words(DumpedWait wait) {
    return ofSeveral ? wait.ofSeveral() : wait.toString();
  }

  private String words(DumpedLock lock) {
    return ofSeveral ? lock.ofSeveral() : lock.toString();
  }

  private static String milliseconds(Duration time) {
    return String.format(Locale.ROOT, "%.2fms", Nanos.of(time) / 1e6);
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2fs", Nanos.of(time) / 1e9);
  }

  private static String state(ThreadState state) {
    Thread.State java = state.toJavaState();
    if (state.isBlockedOnMonitorEnter() || state.isInObjectWait()) {
      return java + " (on object monitor)";
    }
    if (state.isSleeping()) {
      return java + " (sleeping)";
    }
    return state.isParked() ? java + " (parking)" : java.toString();
  }

  private static String counts(List<DumpedThread> threads) {
    Map<Thread.State, Integer> byState = new EnumMap<>(Thread.State.class);
    int virtual = 0;
    for (DumpedThread thread : threads) {
      byState.merge(thread.javaState(), 1, Integer::sum);
      virtual += thread.isVirtual() ? 1 : 0;
    }
    StringJoiner states = new StringJoiner(", ");
    byState.forEach((state, count) -> states.add(count + " " + state));
    int all = threads.size();
    return all + (all == 1 ? " thread, " : " threads, ") + virtual + " virtual: " + states;
  }
}
