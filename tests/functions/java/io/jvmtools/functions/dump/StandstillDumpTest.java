package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.Deadlock;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import io.jvmtools.support.RunningChild;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dump of a program that moves no more equals those of the JDK, field by field. */
@Tag(UnderTheAgentTest.ONCE)
class StandstillDumpTest {

  private static final String BEGIN = "The dump:";
  private static final String END = "End of the dump.";

  @ParameterizedTest
  @ValueSource(strings = {"suspended", "safepoint", "plain"})
  void itIsWhatTheJdkTells(String mode) throws Exception {
    ChildJvm child = ChildJvm.of(Program.class).args(mode);
    if (!mode.equals("plain")) {
      child.agent("");
    }
    // The text of the JVM ends at 1024 frames, if it is not told otherwise.
    child.jvmArgs("-Djdk.virtualThreadScheduler.parallelism=4", "-XX:MaxJavaStackTraceDepth=10000");
    try (RunningChild program = child.start()) {
      program.await(END);
      List<String> theirs = threadPrint(program.pid());
      program.say("bye");
      List<String> out = program.end().succeeds().outLines();
      List<String> ours = out.subList(out.indexOf(BEGIN) + 1, out.indexOf(END));
      compare(PrintedThreads.of(ours), PrintedThreads.of(theirs), !mode.equals("plain"));
    }
  }

  private static void compare(PrintedThreads ours, PrintedThreads theirs, boolean withMonitors) {
    for (String name : ours.named()) {
      assertThat(theirs.header(name)).as(name).isEqualTo(ours.header(name));
      assertThat(ours.nativeId(name)).as(name).isNotNull().isEqualTo(theirs.nativeId(name));
    }
    for (String name : ours.standing()) {
      assertThat(ours.state(name)).as(name).isEqualTo(theirs.state(name));
      assertThat(ours.lines(name, withMonitors))
          .as(name)
          .isEqualTo(theirs.lines(name, withMonitors));
    }
    assertThat(ours.standing()).hasSizeGreaterThan(withMonitors ? 11 : 10);
  }

  private static List<String> threadPrint(long pid) throws Exception {
    Path jcmd = Installation.javaHome().resolve("bin/jcmd");
    assumeTrue(Files.exists(jcmd), "this JDK has no jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "Thread.print", "-l")
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  /** The child: comes to a standstill, compares with the management bean, and prints its dump. */
  static final class Program {

    private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

    public static void main(String... args) {
      Standstill standstill = Standstill.reached();
      String mode = args[0];
      ThreadDump dump = mode.equals("safepoint") ? atSafepoint() : JvmTools.threadDump();
      for (Thread thread : standstill.threads().values()) {
        DumpedThread dumped = dump.thread(thread).orElseThrow();
        if (!dumped.isVirtual()) {
          compare(dumped, thread, !mode.equals("plain"));
        }
      }
      assertThat(dump.thread(standstill.thread("deep")).orElseThrow().stack())
          .hasSizeGreaterThan(Standstill.DEPTH);
      deadlocks(dump, mode);
      Child.say(BEGIN);
      Child.say(dump);
      Child.say(END);
      Child.await("bye");
    }

    private static ThreadDump atSafepoint() {
      try (Jvmti jvmti =
          Jvmti.open(
              io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
              io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR,
              io.jvmtools.Capability.CAN_GET_MONITOR_INFO)) {
        return jvmti.dumps().take();
      }
    }

    private static void deadlocks(ThreadDump dump, String mode) {
      boolean withMonitors = !mode.equals("plain");
      List<List<String>> expected = new ArrayList<>();
      expected.add(List.of("left", "right"));
      expected.add(List.of("lock 0", "lock 1", "lock 2"));
      expected.add(List.of("mixed monitor", "mixed lock"));
      TreeSet<Long> platform = new TreeSet<>();
      List<List<String>> found = new ArrayList<>();
      for (Deadlock deadlock : dump.deadlocks()) {
        List<DumpedThread> threads = deadlock.threads();
        found.add(threads.stream().map(DumpedThread::name).toList());
        threads.stream().filter(t -> !t.isVirtual()).forEach(t -> platform.add(t.id()));
      }
      // Platform threads come in the order of the VM's list, so that a circle may begin elsewhere.
      List<TreeSet<String>> sets = found.stream().map(TreeSet::new).toList();
      expected.forEach(names -> assertThat(sets).contains(new TreeSet<>(names)));
      // From 23 to 25 those of virtual threads that are not suspended are not asked for.
      int feature = Installation.feature();
      boolean untold = mode.equals("safepoint") && feature >= 23 && feature < 26;
      assertThat(
              dump.unknown().stream().anyMatch(line -> line.contains("virtual threads own, and")))
          .isEqualTo(untold);
      assertThat(dump.deadlocksKnown())
          .isEqualTo(!Parked.hasVirtualThreads() || (withMonitors && !untold));
      if (withMonitors && !untold && Parked.hasVirtualThreads()) {
        assertThat(sets).contains(new TreeSet<>(List.of("virtual left", "virtual right")));
        expected.add(List.of());
      }
      TreeSet<Long> beans = new TreeSet<>();
      Arrays.stream(BEAN.findDeadlockedThreads()).forEach(beans::add);
      assertThat(platform).isEqualTo(beans);
      // Without an agent the bean has been asked, which knows no virtual threads.
      assertThat(dump.unknown().stream().anyMatch(line -> line.contains("ThreadMXBean")))
          .isEqualTo(!withMonitors);
      String left = dump.deadlocks().stream().map(Deadlock::toString).collect(Collectors.joining());
      assertThat(left)
          .contains("\tat io.jvmtools.functions.dump.Standstill.enter(Standstill.java:");
      // Where a monitor was entered, only the owner knows.
      assertThat(left.contains("\tat io.jvmtools.functions.dump.Standstill.inOneThenTheOther("))
          .isEqualTo(withMonitors);
      assertThat(found).hasSameSizeAs(expected);
    }

    private static void compare(DumpedThread ours, Thread thread, boolean withMonitors) {
      ThreadInfo bean = BEAN.getThreadInfo(new long[] {thread.getId()}, true, true)[0];
      assertThat(ours.name()).isEqualTo(bean.getThreadName()).isEqualTo(thread.getName());
      assertThat(ours.id()).isEqualTo(bean.getThreadId());
      assertThat(ours.isDaemon()).isEqualTo(bean.isDaemon());
      assertThat(ours.priority()).isEqualTo(bean.getPriority()).isEqualTo(thread.getPriority());
      assertThat(ours.group()).contains(thread.getThreadGroup().getName());
      assertThat(ours.javaState()).isEqualTo(bean.getThreadState());
      assertThat(texts(ours.stack().toStackTraceElements())).isEqualTo(texts(bean.getStackTrace()));

      assertThat(ours.waitsFor().flatMap(wait -> wait.lock()).isPresent() || !isBlocked(bean))
          .as(ours + " " + bean)
          .isTrue();
      Optional<DumpedLock> lock = ours.waitsFor().flatMap(wait -> wait.lock());
      if (lock.isPresent()) {
        assertThat(name(lock.get())).isEqualTo(name(bean.getLockInfo()));
        long owner = ours.waitsFor().flatMap(wait -> wait.owner()).map(o -> o.id()).orElse(-1L);
        assertThat(owner).isEqualTo(bean.getLockOwnerId());
      } else if (bean.getLockInfo() != null) {
        boolean untold = Installation.feature() >= 23 && ours.state().isInObjectWait();
        assertThat(untold || !withMonitors).as(ours + " " + bean).isTrue();
      }
      if (withMonitors) {
        Map<String, Integer> depths = new HashMap<>();
        for (MonitorInfo monitor : bean.getLockedMonitors()) {
          depths.put(name(monitor), monitor.getLockedStackDepth());
        }
        if (ours.state().isInObjectWait()) {
          // The bean says that the frame has the monitor that it waits on.
          depths.clear();
        }
        assertThat(depths(ours)).isEqualTo(depths);
      }
      assertThat(ours.ownedLocks().stream().map(Program::name))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(bean.getLockedSynchronizers()).map(Program::name).toList());
    }

    private static boolean isBlocked(ThreadInfo bean) {
      return bean.getThreadState() == Thread.State.BLOCKED;
    }

    private static Map<String, Integer> depths(DumpedThread thread) {
      Map<String, Integer> depths = new HashMap<>();
      List<DumpedFrame> frames = thread.frames();
      for (int depth = 0; depth < frames.size(); depth++) {
        for (DumpedLock lock : frames.get(depth).monitors()) {
          depths.put(name(lock), depth);
        }
      }
      return depths;
    }

    private static List<String> texts(StackTraceElement[] elements) {
      return Arrays.stream(elements)
          .map(e -> e.getClassName() + "." + e.getMethodName() + ":" + e.getLineNumber())
          .toList();
    }

    private static String name(DumpedLock lock) {
      return lock.className() + "@" + Integer.toHexString(lock.identityHash());
    }

    private static String name(LockInfo lock) {
      return lock.getClassName() + "@" + Integer.toHexString(lock.getIdentityHashCode());
    }
  }
}
