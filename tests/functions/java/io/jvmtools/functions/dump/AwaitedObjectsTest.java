package io.jvmtools.functions.dump;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpPart;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.DumpedWait;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * What threads wait on in {@link Object#wait()}: before JDK 23 as the JVM tells, and from then on
 * as the receiver of a frame of {@code Object.wait}; or for platform threads as the JDK's bean
 * tells. From 24 on virtual threads are not on a stack there: not their native frame is asked, but
 * the one below it.
 */
class AwaitedObjectsTest {

  @Test
  void theyAreTold() throws Exception {
    ChildJvm.of(Program.class)
        .agent("prepare=can_access_local_variables")
        .args(CAN_ACCESS_LOCAL_VARIABLES.name())
        .run()
        .succeeds();
  }

  @Test
  void theBeanTellsThemWithoutLocalVariables() throws Exception {
    ChildJvm.of(Program.class).agent("").run().succeeds();
  }

  /** The bean is asked a moment before the dump and a moment after it. */
  @Test
  void theyAreThoseOfTheFrames() throws Exception {
    ChildJvm.of(Hurried.class).agent("").run().succeeds();
  }

  @Test
  void theBeanTellsThemWithoutTheAgent() throws Exception {
    ChildJvm.of(Plain.class).run().succeeds();
  }

  /** Of a compiled native method of a virtual thread the JVM looks for the receiver on a stack. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void theFrameMayBeCompiled() throws Exception {
    ChildJvm.of(Program.class)
        .agent("prepare=can_access_local_variables")
        .jvmArgs("-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,java.lang.Object::*")
        .jvmArgs("-Xcomp")
        .args(CAN_ACCESS_LOCAL_VARIABLES.name())
        .run()
        .succeeds();
  }

  /** The bean of 21 names the carrier. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aCarrierIsNoOwnerWithoutTheAgent() throws Exception {
    ChildJvm.of(Owned.class).run().succeeds();
  }

  static final class Owned {

    public static void main(String... args) throws Exception {
      StringBuilder owned = new StringBuilder("owned");
      CountDownLatch entered = new CountDownLatch(1);
      VirtualThreads.start(
          "owner",
          () -> {
            synchronized (owned) {
              entered.countDown();
              LockSupport.park();
            }
          });
      entered.await();
      Thread one =
          new Thread(
              () -> {
                synchronized (owned) {
                  owned.append(" by another");
                }
              });
      one.setDaemon(true);
      one.start();
      Eventually.isTrue("is blocked", () -> one.getState() == Thread.State.BLOCKED);
      DumpedWait wait = JvmTools.threadDump().thread(one).orElseThrow().waitsFor().orElseThrow();
      assertThat(wait.owner()).isEmpty();
    }
  }

  static final class Plain {

    public static void main(String... args) {
      StringBuilder awaited = new StringBuilder("awaited");
      Thread one = new Thread(() -> Program.await(awaited, 0));
      one.setDaemon(true);
      one.start();
      Eventually.isTrue("waits", () -> one.getState() == Thread.State.WAITING);
      if (Parked.hasVirtualThreads()) {
        Thread virtual = VirtualThreads.start("virtual", () -> Program.await(awaited, 0));
        Eventually.isTrue("waits", () -> virtual.getState() == Thread.State.WAITING);
      }
      ThreadDump dump = JvmTools.threadDump();
      DumpedWait wait = dump.thread(one).orElseThrow().waitsFor().orElseThrow();
      assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.NOTIFICATION);
      assertThat(wait.lock().orElseThrow().identityHash())
          .isEqualTo(System.identityHashCode(awaited));
      if (Installation.feature() >= 23) {
        assertThat(dump.unknown())
            .anyMatch(
                line ->
                    line.startsWith("the objects of Object.wait() of virtual threads: ")
                        && line.contains("Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)"));
      }
    }
  }

  static final class Program {

    public static void main(String... args) throws Exception {
      boolean hasLocals = args.length > 0;
      StringBuilder awaited = new StringBuilder("awaited");
      List<Thread> waiting = new ArrayList<>();
      waiting.add(new Thread(() -> await(awaited, 0)));
      waiting.add(new Thread(() -> await(awaited, Long.MAX_VALUE)));
      waiting.forEach(thread -> thread.setDaemon(true));
      waiting.forEach(Thread::start);
      if (Parked.hasVirtualThreads()) {
        waiting.add(VirtualThreads.start("virtual", () -> await(awaited, 0)));
      }
      for (Thread one : waiting) {
        Eventually.isTrue(one + " waits", () -> one.getState().name().endsWith("WAITING"));
      }
      EnumSet<Capability> needed = EnumSet.of(CAN_SUSPEND, CAN_GET_CURRENT_CONTENDED_MONITOR);
      Stream.of(args).map(Capability::valueOf).forEach(needed::add);
      try (Jvmti jvmti = Jvmti.open(needed.toArray(new Capability[0]))) {
        for (DumpOptions options : dumps()) {
          areTold(waiting, awaited, hasLocals, jvmti.dumps().take(options));
        }
      }
      waiting.forEach(Thread::interrupt);
      for (Thread one : waiting) {
        one.join();
      }
    }

    /** With the local variables, and without them: with the frame that waits alone, too. */
    private static List<DumpOptions> dumps() {
      DumpOptions alone = DumpOptions.defaults().parts(DumpPart.CONTENDED_MONITORS);
      return List.of(DumpOptions.defaults(), alone, alone.depth(1));
    }

    private static void areTold(
        List<Thread> waiting, Object awaited, boolean hasLocals, ThreadDump dump) {
      for (Thread one : waiting) {
        DumpedWait wait = dump.thread(one).orElseThrow().waitsFor().orElseThrow();
        assertThat(wait.kind()).as(one.toString()).isEqualTo(DumpedWait.Kind.NOTIFICATION);
        if (Installation.feature() >= 23
            && !hasLocals
            && dump.thread(one).orElseThrow().isVirtual()) {
          assertThat(wait.lock()).isEmpty();
          assertThat(dump.unknown())
              .anyMatch(line -> line.startsWith("the objects of Object.wait() of virtual"));
          continue;
        }
        DumpedLock lock = wait.lock().orElseThrow();
        assertThat(lock.className()).isEqualTo("java.lang.StringBuilder");
        assertThat(lock.identityHash()).isEqualTo(System.identityHashCode(awaited));
      }
    }

    private static void await(Object awaited, long millis) {
      synchronized (awaited) {
        try {
          awaited.wait(millis);
        } catch (InterruptedException over) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** One that waits on one object after the other, and at rest only for a moment. */
  static final class Hurried {

    private static final int DUMPS = 300;

    public static void main(String... args) throws Exception {
      Thread hurried = new Thread(Hurried::hurry);
      hurried.setDaemon(true);
      hurried.start();
      Thread patient = new Thread(() -> Program.await(new Object(), 0));
      patient.setDaemon(true);
      patient.start();
      Eventually.isTrue("waits", () -> patient.getState() == Thread.State.WAITING);
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GET_CURRENT_CONTENDED_MONITOR)) {
        for (int i = 0; i < DUMPS; i++) {
          ThreadDump dump = jvmti.dumps().take();
          assertThat(object(dump, patient)).contains("java.lang.Object");
          dump.thread(hurried).orElseThrow().stack().stream()
              .filter(frame -> frame.className().equals(Hurried.class.getName()))
              .findFirst()
              .filter(frame -> !frame.methodName().equals("hurry"))
              .ifPresent(
                  frame -> {
                    String wanted = "java.lang.String" + frame.methodName();
                    assertThat(object(dump, hurried).orElse(wanted)).isEqualTo(wanted);
                  });
        }
      }
      hurried.interrupt();
      patient.interrupt();
      hurried.join();
      patient.join();
    }

    private static Optional<String> object(ThreadDump dump, Thread thread) {
      return dump.thread(thread)
          .flatMap(DumpedThread::waitsFor)
          .filter(wait -> wait.kind() == DumpedWait.Kind.NOTIFICATION)
          .flatMap(DumpedWait::lock)
          .map(DumpedLock::className);
    }

    private static void hurry() {
      StringBuilder builder = new StringBuilder();
      @SuppressWarnings("JdkObsolete") // one of two classes
      StringBuffer buffer = new StringBuffer();
      while (!Thread.currentThread().isInterrupted()) {
        Builder(builder);
        Buffer(buffer);
      }
    }

    @SuppressWarnings("MethodName") // the end of the name of the class of what it waits on
    private static void Builder(StringBuilder awaited) {
      Program.await(awaited, 1);
    }

    @SuppressWarnings("MethodName")
    private static void Buffer(StringBuffer awaited) {
      Program.await(awaited, 1);
    }
  }
}
