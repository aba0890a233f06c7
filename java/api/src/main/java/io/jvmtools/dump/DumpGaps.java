package io.jvmtools.dump;

import io.jvmtools.JvmtiError;
import io.jvmtools.internal.dump.DumpFacts;
import io.jvmtools.thread.ThreadState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What native code has not read of the threads of a dump, and why. */
final class DumpGaps {

  /** Before JDK-8328083. */
  static final boolean MONITORS_NAME_VIRTUAL_OWNERS = Runtime.version().feature() < 23;

  private static final int ALREADY_SUSPENDED = 14;
  private static final int NOT_ALIVE = 15;
  private static final int NAMES_AT_MOST = 5;

  /** Fewer than none: the JVM does not tell how many monitors a thread owns. */
  private static final int NOT_TOLD = -1;

  /** There was no time to ask. */
  private static final int NOT_ASKED = Integer.MIN_VALUE;

  /** Less that many: deep frames may have entered others. */
  private static final int NOT_ALL = -2;

  /** What the JDK's own file of virtual threads tells. */
  private static final boolean FILED = Runtime.version().feature() >= 25;

  private static final String FILE = "jcmd PID Thread.dump_to_file -format=json FILE";

  private static final String UNTOLD =
      Runtime.version().feature() < 23
          ? "this JVM answers with references of another thread (JDK-8328285, fixed in JDK 23)"
          : "this JVM may crash when it is asked about a virtual thread that is not suspended";

  private static final String TOO_DEEP =
      "the JVM lists those of so many frames only as -XX:MaxJavaStackTraceDepth says";

  private final DumpFacts facts;
  private final @Nullable ThreadIdentity[] identities;
  private final ThreadState[] states;
  private final @Nullable DumpedWait[] waits;

  /** Of arrays with a row for each thread, which are filled before the lines are asked for. */
  DumpGaps(
      DumpFacts facts,
      @Nullable ThreadIdentity[] identities,
      ThreadState[] states,
      @Nullable DumpedWait[] waits) {
    this.facts = facts;
    this.identities = identities;
    this.states = states;
    this.waits = waits;
  }

  /** Whether it has run since it was to stand still. */
  boolean wentOn(int row) {
    if (facts.suspended() == null) {
      return false;
    }
    // A negative one is of a thread that was not asked: this one, or the watchdog.
    int code = facts.suspended()[row];
    return code > 0 && code != ALREADY_SUSPENDED && code != NOT_ALIVE;
  }

  /** Whether all monitors that it owns have been told. */
  boolean isToldMonitors(int row) {
    return facts.monitorCounts() != null && facts.monitorCounts()[row] >= 0 && !wentOn(row);
  }

  /** How many monitors are there of a thread with this number. */
  static int listed(int count) {
    return isUpper(count) ? NOT_ALL - count : Math.max(0, count);
  }

  private static boolean isUpper(int count) {
    return count <= NOT_ALL && count != NOT_ASKED;
  }

  /** What is known of monitors and locals only in part. */
  List<String> lines(DeadlockSearch search) {
    List<String> lines = new ArrayList<>(DumpParts.late(facts.late()));
    if (rows(this::isUntold).length > 0) {
      boolean isTold = facts.contendedOwners() != null && MONITORS_NAME_VIRTUAL_OWNERS;
      boolean blind = facts.contended() != null && !isTold;
      String deadlocks = blind ? ", and deadlocks over them" : "";
      lines.add("the monitors that virtual threads own" + deadlocks + ": " + UNTOLD);
    }
    if (rows(this::isBlockedOnTheUnknown).length > 0) {
      String remedy = FILED ? ", but " + FILE + " tells them" : "";
      lines.add("the monitors that virtual threads wait for: " + UNTOLD + remedy);
    }
    int[] awaiting = rows(this::awaitsTheUnknown);
    boolean isAsked = facts.contended() != null || search.looks();
    if (isAsked && !AwaitedObjects.TOLD_BY_THE_JVM && awaiting.length > 0) {
      lines.add(awaited(awaiting));
    }
    int[] deep = rows(row -> isAlive(row) && isDeep(row));
    if (deep.length > 0) {
      lines.add("all monitors of " + names(deep, row -> "") + ": " + TOO_DEEP);
    }
    int[] moving = rows(row -> isAlive(row) && wentOn(row));
    if (moving.length > 0) {
      lines.add(
          "one moment of "
              + names(moving, row -> " (" + JvmtiError.of(facts.suspended()[row]) + ")")
              + ", their local variables and the monitors they own: the JVM did not suspend them,"
              + " somebody has resumed them meanwhile, or what they carried ran on");
    }
    return lines;
  }

  private String awaited(int[] awaiting) {
    boolean allVirtual = Arrays.stream(awaiting).allMatch(row -> identities[row].virtual());
    return "the objects of Object.wait()"
        + (allVirtual ? " of virtual threads" : "")
        + ": from JDK 23 on the JVM does not tell them, but a dump of"
        + " Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES) reads them"
        + (allVirtual && FILED ? ", and so does " + FILE : "");
  }

  private int[] rows(IntPredicate which) {
    return IntStream.range(0, states.length).filter(which).toArray();
  }

  private boolean isAlive(int row) {
    return identities[row] != null;
  }

  private boolean isDeep(int row) {
    return facts.monitorCounts() != null && isUpper(facts.monitorCounts()[row]);
  }

  private boolean isUntold(int row) {
    return facts.monitorCounts() != null && facts.monitorCounts()[row] == NOT_TOLD && !wentOn(row);
  }

  private boolean isBlockedOnTheUnknown(int row) {
    return isAlive(row)
        && identities[row].virtual()
        && states[row].isBlockedOnMonitorEnter()
        && facts.contended() != null
        && facts.contended()[row] == null;
  }

  private boolean awaitsTheUnknown(int row) {
    DumpedWait wait = waits[row];
    return wait != null && wait.kind() == DumpedWait.Kind.NOTIFICATION && wait.lock().isEmpty();
  }

  private String names(int[] rows, IntFunction<String> remark) {
    String more = rows.length > NAMES_AT_MOST ? " and others" : "";
    return Arrays.stream(rows)
            .limit(NAMES_AT_MOST)
            .mapToObj(row -> identities[row].asName() + remark.apply(row))
            .collect(Collectors.joining(", "))
        + more;
  }
}
