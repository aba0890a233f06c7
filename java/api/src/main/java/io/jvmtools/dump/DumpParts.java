package io.jvmtools.dump;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_MONITOR_INFO;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.Capability;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.CapabilityMasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of a dump an environment can read, and why not the others.
 *
 * @param bits what to ask of {@link DumpNatives#collect}
 * @param unknown a line for each part that cannot be read
 */
record DumpParts(int bits, List<String> unknown) {

  private static final String NOT_ASKED = "not asked for";
  private static final String AND_DEADLOCKS = ", and deadlocks over them";

  /** The environment of the static methods never has them. */
  private static final String WHERE_LOCALS_ARE =
      ", which a dump of Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES) has";

  /** With {@code notLent}, what others have is left to them. */
  static DumpParts of(
      DumpOptions options,
      CapabilityMasks masks,
      UnaryOperator<String> startOption,
      @Nullable String notLent) {
    List<String> unknown = new ArrayList<>();
    int bits = 0;
    for (Part part : Part.values()) {
      var reason = masks.missing(part.capability);
      if (!part.isWanted(options)) {
        unknown.add(part.words + ": " + NOT_ASKED);
      } else if (part == Part.SUSPEND && notLent != null) {
        unknown.add(part.words + ": " + notLent);
      } else if (reason.isEmpty()) {
        bits |= part.bit;
      } else {
        String remedy =
            masks.remedy(part.capability, Set.of(part.capability), reason.get(), startOption);
        unknown.add(part.words + (part == Part.LOCALS ? WHERE_LOCALS_ARE : "") + ": " + remedy);
      }
    }
    if (masks.missing(CAN_GET_MONITOR_INFO).isEmpty()) {
      bits |= Bridge.DUMP_OWNERS;
    }
    if (options.has(DumpPart.ELAPSED_TIMES)) {
      bits |= Bridge.DUMP_AGES;
    } else {
      unknown.add("elapsed times: " + NOT_ASKED);
    }
    if (options.threads() != null) {
      bits |= Bridge.DUMP_CHOSEN;
      unknown.add("other threads, and deadlocks with them: " + NOT_ASKED);
    }
    if ((bits & Bridge.DUMP_SUSPEND) == 0 && (bits & Bridge.DUMP_LOCALS) != 0) {
      bits &= ~Bridge.DUMP_LOCALS;
      unknown.add(Part.LOCALS.words + ": they are read only while all threads stand still");
    }
    return new DumpParts(bits, unknown);
  }

  /** What is not known where deadlocks are found in another way. */
  List<String> unknownButDeadlocks() {
    return unknown.stream().map(line -> line.replace(AND_DEADLOCKS + ": ", ": ")).toList();
  }

  /** A line for each part that was not read of all threads, for want of time. */
  static List<String> late(int bits) {
    String why =
        ": asking the JVM for all threads takes longer than the deadline; a longer one helps, and"
            + " so do fewer threads";
    List<String> lines = new ArrayList<>();
    if ((bits & Bridge.DUMP_MONITORS) != 0) {
      lines.add("the monitors that some threads own" + why);
    }
    if ((bits & Bridge.DUMP_CONTENDED) != 0) {
      lines.add("the monitors that some threads wait for, and deadlocks over them" + why);
    }
    if ((bits & Bridge.DUMP_OWNERS) != 0) {
      lines.add("the owners of some monitors, and deadlocks over them" + why);
    }
    if ((bits & Bridge.DUMP_LOCALS) != 0) {
      lines.add(
          "the local variables of deep frames: reading them takes longer than half the deadline; a"
              + " longer one helps, and so do fewer threads");
    }
    return lines;
  }

  boolean suspends() {
    return (bits & Bridge.DUMP_SUSPEND) != 0;
  }

  /** Whether it is read who waits for a monitor, and who owns it. */
  boolean findsDeadlocks() {
    return (bits & Bridge.DUMP_CONTENDED) != 0
        && (bits & (Bridge.DUMP_MONITORS | Bridge.DUMP_OWNERS)) != 0;
  }

  /** What remains if the threads cannot stand still. */
  DumpParts withoutSuspension(String reason) {
    return without(CAN_SUSPEND, reason);
  }

  /** What remains without a capability. */
  DumpParts without(Capability missing, String reason) {
    List<String> more = new ArrayList<>(unknown);
    int rest = missing == CAN_GET_MONITOR_INFO ? bits & ~Bridge.DUMP_OWNERS : bits;
    for (Part part : Part.values()) {
      boolean needsIt =
          part.capability == missing || (part == Part.LOCALS && missing == CAN_SUSPEND);
      if (needsIt && (bits & part.bit) != 0) {
        more.add(part.words + ": " + reason);
        rest &= ~part.bit;
      }
    }
    return new DumpParts(rest, more);
  }

  private enum Part {
    SUSPEND(null, Bridge.DUMP_SUSPEND, CAN_SUSPEND, "locks and times at the moment of the stacks"),
    CPU(DumpPart.CPU_TIMES, Bridge.DUMP_CPU, CAN_GET_THREAD_CPU_TIME, "processor times"),
    MONITORS(
        DumpPart.OWNED_MONITORS,
        Bridge.DUMP_MONITORS,
        CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
        "owned monitors" + AND_DEADLOCKS),
    CONTENDED(
        DumpPart.CONTENDED_MONITORS,
        Bridge.DUMP_CONTENDED,
        CAN_GET_CURRENT_CONTENDED_MONITOR,
        "monitors that are waited for" + AND_DEADLOCKS),
    LOCALS(
        DumpPart.LOCAL_VARIABLES,
        Bridge.DUMP_LOCALS,
        CAN_ACCESS_LOCAL_VARIABLES,
        "local variables");

    private final @Nullable DumpPart option;
    private final int bit;
    private final Capability capability;
    private final String words;

    Part(@Nullable DumpPart option, int bit, Capability capability, String words) {
      this.option = option;
      this.bit = bit;
      this.capability = capability;
      this.words = words;
    }

    boolean isWanted(DumpOptions options) {
      return option == null ? options.suspends() : options.has(option);
    }
  }
}
