package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.dump.Deadlock;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.DumpedWait;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Who waits for a class that another thread initialises, which the JVM calls running. Where it ends
 * in a deadlock nobody gets out of it, so it is played in a JVM of its own.
 */
class InitializationDumpTest {

  @Test
  void itIsToldWithoutTheAgent() {
    ChildJvm.of(Program.class).run().succeeds();
  }

  @Test
  void itIsToldWithTheAgent() {
    ChildJvm.of(Program.class).agent("").run().succeeds();
  }

  @Test
  void itIsWhatTheJvmInitializes() {
    ChildJvm.of(Hierarchies.class).run().succeeds();
  }

  /** It lists the classes of a loader. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_19, disabledReason = "then Thread.suspend() does nothing")
  void withoutTheStewardItIsNotKnown() {
    ChildJvm.of(Alone.class).run().succeeds();
  }

  static final class Alone {

    public static void main(String... args) throws Exception {
      assertThat(JvmTools.getLoadedClasses()).isNotEmpty();
      Thread left = Program.start("left", Program.Left::touch);
      Thread right = Program.start("right", Program.Right::touch);
      Program.until(JvmTools::threadDump, left, right);
      for (Thread thread : JvmTools.getAllThreads()) {
        if (thread.getName().equals("jvmtools-steward")) {
          Thread.class.getMethod("suspend").invoke(thread);
        }
      }
      ThreadDump dump = JvmTools.threadDump();
      assertThat(dump.deadlocksKnown()).as(dump.toString()).isFalse();
      Runtime.getRuntime().halt(0);
    }
  }

  /** Classes with what they extend. */
  static final class Hierarchies {

    private static final Object MONITOR = new Object();
    private static final int DUMPS = 50;
    private static final CountDownLatch LOOPS = new CountDownLatch(1);
    private static final CountDownLatch LOOP = new CountDownLatch(1);
    private static final CountDownLatch PARENT = new CountDownLatch(1);
    private static final CountDownLatch ALL_SLOW = new CountDownLatch(3);
    private static final CountDownLatch WAITED_FOR = new CountDownLatch(1);
    private static final CountDownLatch OWNED = new CountDownLatch(1);
    private static final CountDownLatch SLOW = new CountDownLatch(1);
    private static final CountDownLatch NAMED = new CountDownLatch(2);

    static class Parent {
      static {
        PARENT.countDown();
        Program.await(WAITED_FOR);
        new Child();
      }

      static void touch() {}
    }

    static final class Child extends Parent {}

    /** Reads what extends it, and with which the same thread has begun: it may. */
    static class Looping {
      static {
        LOOPS.countDown();
        while (LOOP.getCount() > 0) {
          Looped.count++;
        }
      }
    }

    static final class Looped extends Looping {
      static int count;
    }

    /** Is not initialised with what implements it. */
    interface Constants {
      Object VALUE = lock();
    }

    static final class Constant implements Constants {
      static final Object OWN = slow();
    }

    interface Inherited {
      Object VALUE = slow();
    }

    static final class Heir implements Inherited {
      static final Object OWN = lock();
    }

    /** Is initialised with what implements it. */
    interface Coded {
      Object VALUE = slow();

      default void code() {}
    }

    static final class Coding implements Coded {}

    static final class First {
      static {
        Program.meet(NAMED);
        Program.load(Hierarchies.class.getName() + "$Second");
      }

      static void touch() {}
    }

    static final class Second {
      static {
        Program.meet(NAMED);
        Program.load(Hierarchies.class.getName() + "$First");
      }

      static void touch() {}
    }

    public static void main(String... args) throws Exception {
      superclass();
      loop();
      interfaces();
      names();
    }

    /** Who has begun with the subclass has no frame of it. */
    private static void superclass() {
      Thread parent = Program.start("parent", Parent::touch);
      Program.await(PARENT);
      Thread child = Program.start("child", Child::new);
      Program.assertWaits(Program.until(JvmTools::threadDump, child), child, "Parent", parent);
      WAITED_FOR.countDown();
      ThreadDump dump = Program.until(JvmTools::threadDump, child, parent);
      Program.assertWaits(dump, parent, "Child", child);
      assertThat(dump.deadlocks())
          .extracting(Program::names)
          .containsOnly(List.of("parent", "child"));
    }

    private static void loop() throws Exception {
      Thread looping = Program.start("looping", Looped::new);
      Program.await(LOOPS);
      Thread behind = Program.start("behind", Looped::new);
      for (int i = 0; i < DUMPS; i++) {
        ThreadDump dump = Program.until(JvmTools::threadDump, behind);
        Program.assertWaits(dump, behind, "Looped", looping);
        assertThat(Program.waitOf(dump, looping)).isEmpty();
        assertThat(dump.deadlocks()).hasSize(1);
      }
      LOOP.countDown();
      behind.join();
    }

    private static void interfaces() throws Exception {
      Thread owner = Program.start("owner", Hierarchies::own);
      Program.await(OWNED);
      Thread coded = Program.start("coded", () -> Coded.VALUE.hashCode());
      Thread inherited = Program.start("inherited", () -> Inherited.VALUE.hashCode());
      Thread constant = Program.start("constant", () -> Constant.OWN.hashCode());
      Thread constants = Program.start("constants", () -> Constants.VALUE.hashCode());
      Thread heir = Program.start("heir", () -> Heir.OWN.hashCode());
      Program.await(ALL_SLOW);
      Program.until(JvmTools::threadDump, constants, heir);
      Thread coding = Program.start("coding", Coding::new);
      Thread reading = Program.start("reading", () -> Heir.VALUE.hashCode());
      Thread making = Program.start("making", Constant::new);
      ThreadDump dump = Program.until(JvmTools::threadDump, coding, reading, making);
      Program.assertWaits(dump, coding, "Coded", coded);
      Program.assertWaits(dump, reading, "Inherited", inherited);
      Program.assertWaits(dump, making, "Constant", constant);
      assertThat(dump.deadlocks()).hasSize(1);

      SLOW.countDown();
      for (Thread one : List.of(owner, coding, reading, making, constants, heir)) {
        one.join();
      }
    }

    private static void own() {
      synchronized (MONITOR) {
        OWNED.countDown();
        Program.await(SLOW);
      }
    }

    private static Object slow() {
      ALL_SLOW.countDown();
      Program.await(SLOW);
      return "slow";
    }

    private static Object lock() {
      synchronized (MONITOR) {
        return "locked";
      }
    }

    /** Neither their frames nor the JVM tell. */
    private static void names() {
      Thread first = Program.start("first", First::touch);
      Thread second = Program.start("second", Second::touch);
      for (Thread one : List.of(first, second)) {
        Eventually.isTrue("in a native", () -> Program.topOf(one).equals("forName0"));
      }
      DumpOptions all = DumpOptions.defaults();
      for (DumpOptions options : List.of(all, all.depth(1), all.threads(List.of(first)))) {
        ThreadDump dump = JvmTools.threadDump(options);
        assertThat(dump.deadlocksKnown()).as(dump.toString()).isFalse();
      }
    }
  }

  static final class Program {

    private static final Object MONITOR = new Object();
    private static final CountDownLatch BOTH = new CountDownLatch(2);
    private static final CountDownLatch ENTERED = new CountDownLatch(2);
    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch END = new CountDownLatch(1);

    /** Wait for each other. */
    static final class Left {
      static {
        meet(BOTH);
        crossOver();
      }

      /** In a frame of its own. */
      private static void crossOver() {
        Right.touch();
      }

      static void touch() {}
    }

    static final class Right {
      static {
        meet(BOTH);
        Left.touch();
      }

      static void touch() {}
    }

    /** Waits for a monitor whose owner waits for it. */
    static final class Locking {
      static {
        meet(ENTERED);
        synchronized (MONITOR) {
          ENTERED.countDown();
        }
      }

      static int field = 1;
    }

    /** Takes long. */
    static class Base {
      static {
        BEGUN.countDown();
        await(END);
      }
    }

    static final class Derived extends Base {}

    static final class Unrelated {
      static int count;
    }

    public static void main(String... args) throws Exception {
      deadlocks();
      crossing();
      slow();
    }

    private static void deadlocks() {
      Thread left = start("left", Left::touch);
      Thread right = start("right", Right::touch);
      ThreadDump dump = until(JvmTools::threadDump, right, left);
      assertWaits(dump, left, "Right", right);
      assertWaits(dump, right, "Left", left);
      assertThat(dump.deadlocks())
          .extracting(Program::names)
          .containsOnly(List.of("left", "right"));
      assertThat(dump.toString())
          .contains(" is waiting for the initialization of <0x", "$Right)" + System.lineSeparator())
          .containsPattern("which is initialized by \"left\" #\\d+\\R\tat .*Left\\.<clinit>");
      assertThat(dump.toJson()).contains("\"kind\":\"CLASS_INITIALIZATION\"");

      // Of one frame nobody sees an initializer, and among chosen threads not all of them.
      ThreadDump top = JvmTools.threadDump(DumpOptions.defaults().depth(1));
      assertThat(top.deadlocksKnown()).as(top.toString()).isFalse();
      ThreadDump chosen = JvmTools.threadDump(DumpOptions.defaults().threads(List.of(left)));
      assertThat(chosen.deadlocksKnown()).as(chosen.toString()).isFalse();
      assertThat(chosen.unknown()).anyMatch(line -> line.startsWith("deadlocks with \"left\" #"));
    }

    /** A monitor and a class. */
    private static void crossing() {
      Thread owner =
          start(
              "owner",
              () -> {
                synchronized (MONITOR) {
                  meet(ENTERED);
                  Locking.field++;
                }
              });
      Thread locking = start("locking", () -> Locking.field++);
      ThreadDump dump = until(JvmTools::threadDump, owner, locking);
      assertWaits(dump, owner, "Locking", locking);
      assertThat(dump.deadlocks()).extracting(Program::names).contains(List.of("owner", "locking"));
    }

    private static void slow() throws Exception {
      Thread slow = start("slow", Base::new);
      await(BEGUN);
      Thread same = start("same", Base::new);
      Thread derived = start("derived", Derived::new);
      Thread named = start("named", () -> load(Derived.class.getName()));
      Thread busy = start("busy", Program::count);
      ThreadDump dump = until(JvmTools::threadDump, same, derived);
      assertWaits(dump, same, "Base", slow);
      assertWaits(dump, derived, "Base", slow);
      assertThat(dump.thread(slow).orElseThrow().waitsFor()).as("a latch").isPresent();
      assertThat(dump.thread(busy).orElseThrow().waitsFor()).isEmpty();
      Eventually.isTrue("by its name", () -> topOf(named).equals("forName0"));
      assertThat(waitOf(JvmTools.threadDump(), named)).isEmpty();

      if (Parked.hasVirtualThreads()) {
        Thread virtual = VirtualThreads.start("virtual", Base::new);
        assertWaits(until(JvmTools::threadDump, virtual), virtual, "Base", slow);
      }
      END.countDown();
      same.join();
      derived.join();
      named.join();
      assertThat(JvmTools.threadDump().thread(same)).isEmpty();
    }

    private static void count() {
      while (END.getCount() > 0) {
        Unrelated.count++;
      }
    }

    private static void load(String name) {
      try {
        Class.forName(name);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    private static String topOf(Thread thread) {
      return JvmTools.getStackTrace(thread).top().map(StackFrame::methodName).orElse("");
    }

    private static Optional<DumpedWait> waitOf(ThreadDump dump, Thread thread) {
      return dump.thread(thread).flatMap(DumpedThread::waitsFor);
    }

    /** Where all of them have come to wait. */
    private static ThreadDump until(Supplier<ThreadDump> take, Thread... all) {
      ThreadDump[] dump = new ThreadDump[1];
      Eventually.isTrue(
          "they wait",
          () -> {
            dump[0] = take.get();
            return List.of(all).stream()
                .allMatch(
                    thread ->
                        waitOf(dump[0], thread)
                            .filter(wait -> wait.kind() != DumpedWait.Kind.PARKED)
                            .isPresent());
          });
      return dump[0];
    }

    private static void assertWaits(ThreadDump dump, Thread waiter, String type, Thread owner) {
      DumpedWait wait = waitOf(dump, waiter).orElseThrow();
      assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.CLASS_INITIALIZATION);
      assertThat(wait.lock().orElseThrow().mirrored().orElseThrow()).endsWith("$" + type);
      assertThat(wait.owner().orElseThrow().id()).isEqualTo(owner.getId());
      assertThat(dump.thread(waiter).orElseThrow().javaState()).isEqualTo(Thread.State.RUNNABLE);
    }

    private static List<String> names(Deadlock deadlock) {
      return deadlock.threads().stream().map(DumpedThread::name).toList();
    }

    private static Thread start(String name, Runnable body) {
      Thread thread = new Thread(body, name);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    private static void meet(CountDownLatch latch) {
      latch.countDown();
      await(latch);
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
