package io.jvmtools.oracle;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.support.Installation;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Where the library says something else than the VM, on purpose: the only differences there may be.
 *
 * @param scenarios the keys, as a pattern
 * @param ours what becomes of the VM's observation
 * @param reason why
 * @param here whether it is one on this JDK
 */
record Deviation(Pattern scenarios, UnaryOperator<String> ours, String reason, boolean here) {

  private static final String REFUSED = "ILLEGAL_ARGUMENT";

  private static final List<Deviation> ALL =
      List.of(
          always(
              "GetStackTrace\\.from(BelowT|T)heBottom",
              REFUSED,
              "a negative start would make depths of two kinds"),
          always(
              "Get(All|ThreadList)?StackTraces?\\.noFrames",
              REFUSED,
              "a trace of no frames is a mistake of the caller"),
          always(
              "GetThreadListStackTraces\\.oneUnstarted",
              "actor unstarted 0x0 ",
              "a list of one answers as a longer one does"),
          always(
              "GetThreadListStackTraces\\.oneEnded",
              "actor ended 0x2 ",
              "a list of one answers as a longer one does"),
          always(
                  "GetThreadListStackTraces\\.oneVirtualEnded",
                  "actor virtual ended 0x2 ",
                  "a list of one answers as a longer one does")
              .on(Virtual.isHere()),
          always(
                  "GetOwnedMonitor(StackDepth)?Info\\.virtual(Parked)?",
                  "UNSUPPORTED_OPERATION",
                  "before 26 the VM may crash while the thread is mounted")
              .on(Virtual.isHere() && Installation.feature() < 26),
          always(
                  "GetCurrentContendedMonitor\\.virtual(Parked)?",
                  "UNSUPPORTED_OPERATION",
                  "from 22 to 25 the VM may crash while the thread is mounted")
              .on(Installation.feature() >= 22 && Installation.feature() < 26),
          always(
                  "GetOwnedMonitor(StackDepth)?Info\\.virtualSuspended",
                  "UNSUPPORTED_OPERATION",
                  "before 23 the VM answers with references of another thread: JDK-8328285")
              .on(Virtual.isHere() && Installation.feature() < 23),
          new Deviation(
              Pattern.compile("GetObjectMonitorUsage\\..*"),
              Deviation::withoutAwaiting,
              "before 23 the VM counts who waits to be notified among those who want to enter",
              Installation.feature() < 23),
          always(
              "GetObjectsWithTags\\.zero.*", REFUSED, "0 stands for no tag, so it finds nothing"),
          new Deviation(
              Pattern.compile("GetObjectsWithTags\\.sameTagTwice"),
              vm -> vm.substring(vm.indexOf(',') + 1),
              "an object is answered once, however often its tag is asked for",
              true),
          always(
              "RunAgentThread\\.too(High|Low)",
              REFUSED + " | null",
              "a priority is checked before the call"),
          always(
              "RunAgentThread\\.ended",
              "INVALID_THREAD | null",
              "a thread that has ended would run again"),
          new Deviation(
              Pattern.compile("GetFieldModifiers\\..*"),
              AsJavaSaysIt::fieldModifiers,
              "before 21 the VM tells flags of its own, too",
              Installation.feature() < 21),
          new Deviation(
              Pattern.compile("AddModuleProvides\\.elsewhere"),
              vm -> REFUSED + vm.substring(vm.indexOf(" | ")).replaceFirst("[^| ].*$", "none"),
              "a class of another module would make every ServiceLoader fail",
              true),
          always(
                  "[GS]etLocal\\w+\\.running",
                  "THREAD_NOT_SUSPENDED",
                  "before 21 the VM reads and writes wherever the thread happens to be")
              .on(!Virtual.isHere()),
          always(
              "SetLocalObject\\.slot[36]",
              "INVALID_SLOT",
              "where a class file names no variable there is none, whatever the slot holds"),
          always(
              "DestroyRawMonitor\\.ownedByAnother",
              "NONE",
              "close() waits for nobody: the last thread to leave a monitor destroys it"),
          always(
              "ClearBreakpoint\\.handedOver",
              "NONE | NONE | NONE | NONE | NONE | NOT_FOUND | NOT_FOUND | NOT_FOUND",
              "what an environment has set is cleared before it gives up the capability"),
          always("DisposeEnvironment\\.twice", "NONE", "close() may be called again, as in Java"));

  /** What the library is to answer where the VM answers this. */
  static String expected(String key, String vm) {
    String expected = vm;
    for (Deviation deviation : ALL) {
      if (deviation.here && deviation.scenarios.matcher(key).matches()) {
        expected = deviation.ours.apply(expected);
      }
    }
    return expected;
  }

  /** The deviations that change none of the VM's observations. */
  static List<Deviation> unused(Map<String, String> vm) {
    return ALL.stream()
        .filter(deviation -> deviation.here)
        .filter(
            deviation ->
                vm.entrySet().stream()
                    .filter(entry -> deviation.scenarios.matcher(entry.getKey()).matches())
                    .allMatch(
                        entry -> deviation.ours.apply(entry.getValue()).equals(entry.getValue())))
        .toList();
  }

  private static Deviation always(String scenarios, String ours, String reason) {
    return new Deviation(Pattern.compile(scenarios), vm -> ours, reason, true);
  }

  private Deviation on(boolean thisJdk) {
    return new Deviation(scenarios, ours, reason, thisJdk);
  }

  /** Takes the names after "notify" out of those after "waiters". */
  private static String withoutAwaiting(String usage) {
    if (!usage.startsWith("owner ")) {
      return usage;
    }
    String[] parts = usage.split("[\\[\\]]", -1);
    List<String> awaiting = List.of(parts[3].split(","));
    String waiters =
        String.join(
            ",",
            List.of(parts[1].split(",")).stream()
                .filter(name -> !awaiting.contains(name))
                .toList());
    return parts[0] + "[" + waiters + "]" + parts[2] + "[" + parts[3] + "]" + parts[4];
  }
}
