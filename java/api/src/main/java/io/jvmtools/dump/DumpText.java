package io.jvmtools.dump;

import io.jvmtools.thread.ThreadState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** A dump as text, in the format of the JVM's own, which tools can read. */
final class DumpText {

  private static final String NL = System.lineSeparator();

  private final StringBuilder text = new StringBuilder();

  private DumpText() {}

  static String of(ThreadDump dump) {
    DumpText writer = new DumpText();
    writer.dump(dump);
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

  private void dump(ThreadDump dump) {
    text.append(dump.takenAt()).append(NL);
    text.append("Thread dump of ").append(dump.vm());
    text.append(": ").append(dump.consistency().sentence());
    for (DumpedThread thread : dump.threads()) {
      text.append(NL).append(NL);
      thread(thread);
    }
    if (!dump.deadlocks().isEmpty()) {
      text.append(NL).append(NL);
      DeadlockText.append(text, dump.deadlocks());
    }
    text.append(NL).append(NL).append(counts(dump.threads()));
    for (String line : dump.unknown()) {
      text.append(NL).append("Not known: ").append(line);
    }
  }

  private void thread(DumpedThread thread) {
    text.append(thread.asOwner());
    text.append(thread.isDaemon() ? " daemon" : "");
    text.append(" prio=").append(thread.priority());
    text.append(thread.isVirtual() ? " virtual" : "");
    thread.cpuTime().ifPresent(cpu -> text.append(" cpu=").append(milliseconds(cpu)));
    text.append(thread.state().isInterrupted() ? " interrupted" : "");
    text.append(thread.state().isSuspended() ? " suspended" : "");
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
    locks("Locked by native code", thread.monitorsOfNoFrame());
    locks("Locked ownable synchronizers", thread.ownedLocks());
  }

  private void waitsFor(DumpedThread thread) {
    thread.waitsFor().ifPresent(wait -> text.append(NL).append("\t- ").append(wait));
  }

  private void contents(DumpedFrame frame) {
    for (DumpedLock lock : frame.monitors()) {
      text.append(NL).append("\t- locked ").append(lock);
    }
    for (DumpedLocal local : frame.locals()) {
      text.append(NL).append("\t  ").append(local);
    }
  }

  private void locks(String heading, List<DumpedLock> locks) {
    if (!locks.isEmpty()) {
      text.append(NL).append(NL).append("   ").append(heading).append(':');
      locks.forEach(lock -> text.append(NL).append("\t- ").append(lock));
    }
  }

  private static String milliseconds(Duration time) {
    return String.format(Locale.ROOT, "%.2fms", time.toNanos() / 1e6);
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
