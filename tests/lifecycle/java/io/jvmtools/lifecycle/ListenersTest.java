package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_METHOD_ENTRY_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_MONITOR_EVENTS;
import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static io.jvmtools.event.EventTypes.CLASS_FILE_LOAD_HOOK;
import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.METHOD_ENTRY;
import static io.jvmtools.event.EventTypes.MONITOR_CONTENDED_ENTER;
import static io.jvmtools.event.EventTypes.MONITOR_WAIT;
import static io.jvmtools.event.EventTypes.THREAD_END;
import static io.jvmtools.event.EventTypes.THREAD_START;
import static io.jvmtools.event.EventTypes.VM_DEATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Events;
import io.jvmtools.event.Profile;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.SilentDelivery;
import io.jvmtools.event.Subscription;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.support.LibraryCopy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners and the ends of threads, of class loaders and of the JVM. */
class ListenersTest {

  /** It would be killed if it waited for the listener. */
  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt", "return", "throw"})
  void theJvmEndsThoughAListenerNeverReturns(String end) {
    ChildJvm.of(NeverReturns.class).args(end).run().endsWith(NeverReturns.code(end));
  }

  static final class NeverReturns {

    private static final Object LOCK = new Object();

    static int code(String end) {
      return switch (end) {
        case "exit" -> 3;
        case "halt" -> 4;
        case "throw" -> 1;
        default -> 0;
      };
    }

    public static void main(String[] args) {
      CountDownLatch listening = new CountDownLatch(1);
      Jvmti jvmti = Jvmti.open(CAN_GENERATE_MONITOR_EVENTS);
      jvmti
          .events()
          .on(
              MONITOR_CONTENDED_ENTER,
              event -> {
                if (event.object() == LOCK) {
                  listening.countDown();
                  await(new CountDownLatch(1));
                }
              });
      Thread wants =
          new Thread(
              () -> {
                synchronized (LOCK) {
                  LOCK.hashCode();
                }
              });
      wants.setDaemon(true);
      synchronized (LOCK) {
        wants.start();
        Eventually.isTrue("it listens", () -> listening.getCount() == 0);
        switch (args[0]) {
          case "exit" -> System.exit(code("exit"));
          case "halt" -> Runtime.getRuntime().halt(code("halt"));
          case "throw" -> throw new IllegalStateException("of main");
          default -> {}
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt", "return", "throw", "signal", "listener"})
  void theEndIsToldOnce(String end) {
    ChildResult result = ChildJvm.of(Told.class).args(end).run();
    result.endsWith(Told.code(end)).out().containsOnlyOnce(Told.TEXT);
  }

  static final class Told {

    private static final String TEXT = "the end was told";
    private static final Jvmti JVMTI = Jvmti.open();

    static int code(String end) {
      return switch (end) {
        case "signal" -> 128 + 15;
        case "listener" -> 6;
        default -> NeverReturns.code(end);
      };
    }

    public static void main(String[] args) throws IOException, InterruptedException {
      JVMTI.events().on(VM_DEATH, event -> System.out.println(TEXT));
      switch (args[0]) {
        case "exit" -> System.exit(code("exit"));
        case "halt" -> Runtime.getRuntime().halt(code("halt"));
        case "throw" -> throw new IllegalStateException("of main");
        case "signal" -> {
          String me = Long.toString(ProcessHandle.current().pid());
          new ProcessBuilder("kill", me).start();
          new CountDownLatch(1).await();
        }
        case "listener" -> {
          JVMTI.events().on(THREAD_END, event -> System.exit(code("listener")));
          new Thread(() -> {}).start();
          new CountDownLatch(1).await();
        }
        default -> {}
      }
    }
  }

  /**
   * Once all of it is told, and once more with the JVM ending at once. Only interpreted, for the
   * compilers' threads come and go with code of their own.
   */
  @Test
  void whatIsRecordedIsToldBeforeTheEnd() {
    ChildJvm.of(Recorded.class).jvmArgs("-Xint").run().endsWith(7).out().contains("not told: []");
  }

  static final class Recorded {
    public static void main(String[] args) {
      Set<NativeAddress> told = ConcurrentHashMap.newKeySet();
      Jvmti jvmti = Jvmti.open();
      jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> told.add(event.address()));
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      jvmti.events().flush();
      Set<NativeAddress> left = new HashSet<>(told);
      assertThat(left).hasSizeGreaterThan(20);
      told.clear();
      jvmti
          .events()
          .on(
              VM_DEATH,
              event -> {
                left.removeAll(told);
                System.out.println("not told: " + left);
              });
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      System.exit(7);
    }
  }

  @Test
  void aListenerMayEndTheJvm() {
    ChildJvm.of(Ends.class).run().endsWith(5);
  }

  static final class Ends {
    public static void main(String[] args) throws InterruptedException {
      Jvmti jvmti = Jvmti.open();
      jvmti.events().on(THREAD_END, event -> end(event.thread()));
      Thread last = new Thread(() -> {}, "last");
      last.start();
      last.join();
      new CountDownLatch(1).await();
    }

    private static void end(Thread thread) {
      if (thread.getName().equals("last")) {
        System.exit(5);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoIsSuspendedInAListenerKeepsNobody(WayIn way) {
    way.of(Suspended.class).run().succeeds();
  }

  static final class Suspended {

    private static volatile boolean goOn;

    public static void main(String[] args) throws InterruptedException {
      AtomicInteger spins = new AtomicInteger();
      Jvmti jvmti = Jvmti.open();
      Subscription one =
          jvmti
              .events()
              .on(
                  THREAD_START,
                  event -> {
                    while (event.thread().getName().equals("spins") && !goOn) {
                      spins.incrementAndGet();
                    }
                  });
      Thread thread = new Thread(() -> {}, "spins");
      thread.start();
      Eventually.isTrue("it listens", () -> spins.get() > 0);
      try (Jvmti suspender = Jvmti.open(CAN_SUSPEND)) {
        suspender.threads().suspend(thread);
        try (Subscription other = jvmti.events().on(THREAD_END, event -> {})) {
          assertThat(other.counts().delivered()).isZero();
          one.close();
        }
        assertThat(one.counts().lost()).isZero();
        jvmti.close();
        try (Jvmti next = Jvmti.open();
            Subscription next1 = next.events().on(THREAD_START, event -> {})) {
          Thread told = new Thread(() -> {});
          told.start();
          told.join();
          assertThat(next1.counts().delivered()).isPositive();
        }
        goOn = true;
        suspender.threads().resume(thread);
      }
      thread.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClassLoaderGoesWithItsListeners(WayIn way) {
    way.of(Copies.class).run().succeeds();
  }

  static final class Copies {
    public static void main(String[] args) throws InterruptedException {
      JvmTools.getPhase();
      List<WeakReference<?>> copies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        copies.add(listening());
      }
      CountDownLatch done = new CountDownLatch(1);
      Thread others = new Thread(() -> startUntil(done));
      others.start();
      GcUntil.cleared(copies.toArray(new WeakReference<?>[0]));
      done.countDown();
      others.join();
      startOne();
    }

    private static WeakReference<?> listening() throws InterruptedException {
      LibraryCopy copy = new LibraryCopy();
      assertThat(copy.call(Listens.class)).as("it was told").isTrue();
      copy.close();
      return new WeakReference<>(copy);
    }

    private static void startUntil(CountDownLatch done) {
      while (done.getCount() > 0) {
        startOne();
      }
    }

    private static void startOne() {
      Thread thread = new Thread(() -> {});
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** In a copy of the library. */
  static final class Listens implements Callable<Boolean> {
    @Override
    public Boolean call() {
      AtomicInteger told = new AtomicInteger();
      Jvmti jvmti = Jvmti.open();
      Subscription one = jvmti.events().on(THREAD_START, event -> told.incrementAndGet());
      jvmti.events().on(THREAD_END, event -> told.incrementAndGet());
      Copies.startOne();
      return told.get() > 0 && one.counts().delivered() > 0;
    }
  }

  /** HotSpot knows of no other thread once somebody has asked for an event of one. */
  @ParameterizedTest
  @EnumSource
  void whoListensToAllIsToldOfAllThoughAnotherListensToOne(WayIn way) {
    way.of(OfOneAndOfAll.class).args("100").run().succeeds();
  }

  /** More than are asked for one by one where nobody is named. */
  @ParameterizedTest
  @EnumSource(names = "AGENT")
  void whoListensToManyIsToldOfAllThoughAnotherListensToOne(WayIn way) {
    way.of(OfOneAndOfAll.class).args("3000").run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void whoListensToAllIsToldOfAllThoughAnotherAgentListensToOne(WayIn way) {
    way.of(OfOneAndOfAll.class).args("100", "another").run().succeeds();
  }

  static final class OfOneAndOfAll {

    public static void main(String[] args) throws Exception {
      int many = Integer.parseInt(args[0]);
      CyclicBarrier begun = new CyclicBarrier(many + 1);
      CyclicBarrier listening = new CyclicBarrier(many + 1);
      CyclicBarrier waited = new CyclicBarrier(many + 1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        Thread thread = new Thread(() -> waitOnce(begun, listening, waited));
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      begun.await();
      if (args.length > 1) {
        NativeLibrary.load();
        SelfTestNatives.listenToOne(threads.get(0));
      }
      Set<Thread> told = ConcurrentHashMap.newKeySet();
      Set<Thread> ofMany = ConcurrentHashMap.newKeySet();
      try (Jvmti one = Jvmti.open();
          Jvmti all = Jvmti.open(CAN_GENERATE_MONITOR_EVENTS)) {
        one.events().on(THREAD_END, EventFilter.ANY.threads(threads.get(0)), event -> {});
        all.events().on(MONITOR_WAIT, event -> told.add(event.thread()));
        all.events()
            .on(
                MONITOR_WAIT,
                EventFilter.ANY.threads(threads.toArray(Thread[]::new)),
                event -> ofMany.add(event.thread()));
        listening.await();
        waited.await();
      }
      assertThat(told).containsAll(threads);
      assertThat(ofMany).containsExactlyInAnyOrderElementsOf(threads);
    }

    private static void waitOnce(CyclicBarrier begun, CyclicBarrier listening, CyclicBarrier over) {
      Object own = new Object();
      try {
        begun.await();
        listening.await();
        synchronized (own) {
          own.wait(1);
        }
        over.await();
      } catch (InterruptedException | BrokenBarrierException unexpected) {
        throw new AssertionError(unexpected);
      }
    }
  }

  /** What others wait for is done there. */
  @ParameterizedTest
  @EnumSource
  void theThreadsOfTheLibraryRunNoListener(WayIn way) {
    way.of(OwnThreads.class).run().succeeds();
  }

  static final class OwnThreads {
    public static void main(String[] args) throws Exception {
      List<String> told = new CopyOnWriteArrayList<>();
      Thread started = new Thread(() -> {}, "of the application");
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
          Subscription one = jvmti.events().on(THREAD_START, event -> told.add(name()))) {
        // The watchdog begins with the first suspension for a time.
        jvmti.threads().withOthersSuspended(Duration.ofSeconds(30), () -> 0);
        long before = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
        disposeMuch();
        if (Runtime.version().feature() >= 21) {
          Eventually.isTrue(
              "a thread disposes",
              () -> ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() > before);
        }
        started.start();
        started.join();
        assertThat(one.counts().failed()).isZero();
      }
      assertThat(told).contains("of the application");
      assertThat(told).noneMatch(name -> name.startsWith("jvmtools-"));
    }

    private static void disposeMuch() {
      try (Jvmti tagging = Jvmti.open(CAN_TAG_OBJECTS)) {
        for (int i = 1; i <= 5_000; i++) {
          tagging.objects().setTag(new Object(), i);
        }
      }
    }

    private static String name() {
      return Thread.currentThread().getName();
    }
  }

  /** But what they load for the application is a class like others. */
  @Test
  void whatItsThreadsDoForTheApplicationNoListenerIsToldOf() {
    ChildJvm.of(OnBehalf.class).agent("prepare=debugging+tracing").run().succeeds();
  }

  static final class OnBehalf {

    private static final String OURS = " on jvmtools-";

    private static final EventFilter HERE =
        EventFilter.ANY.classes(OnBehalf.class.getName(), "io.jvmtools.snapshot.*");

    /** Loaded by who gets the snapshot. */
    private static final class Loaded {}

    private static final Set<Object> MADE = ConcurrentHashMap.newKeySet();

    static void isPassed() {}

    static void get() {
      MADE.add(new Loaded());
      // It is this one who comes by.
      isPassed();
    }

    public static void main(String[] args) throws Exception {
      Set<String> told = ConcurrentHashMap.newKeySet();
      Set<String> asked = ConcurrentHashMap.newKeySet();
      try (Jvmti jvmti =
          Jvmti.open(
              CAN_ACCESS_LOCAL_VARIABLES,
              CAN_GENERATE_BREAKPOINT_EVENTS,
              CAN_GENERATE_METHOD_ENTRY_EVENTS,
              CAN_RETRANSFORM_CLASSES)) {
        Events events = jvmti.events();
        for (EventType<?> type : List.of(THREAD_START, THREAD_END, METHOD_ENTRY)) {
          events.on(
              type,
              type == METHOD_ENTRY ? HERE : EventFilter.ANY,
              event -> told.add(type + " on " + name()));
        }
        events.answer(
            CLASS_FILE_LOAD_HOOK,
            EventFilter.ANY,
            event -> {
              asked.add(event.name() + " on " + name());
              return Optional.empty();
            });
        Profile entries = jvmti.profile().methodEntries(ProfileOptions.DEFAULT.filter(HERE));
        SnapshotPoint point =
            jvmti.snapshots().at(OnBehalf.class.getName(), "isPassed").forEach(snapshot -> get());
        isPassed();
        point.flush();
        events.on(DYNAMIC_CODE_GENERATED, event -> {}).close();
        if (!Installation.keepsThreads()) {
          Eventually.isTrue("they end", () -> threads().noneMatch(OnBehalf::isForOthers));
        }
        assertThat(point.counts().taken()).isEqualTo(1);
        assertThat(entries.snapshot().entries())
            .noneMatch(entry -> entry.toString().contains("handOverAll"));
      }
      assertThat(MADE).hasSize(1);
      assertThat(told).contains("MethodEntry on main").noneMatch(one -> one.contains(OURS));
      String loaded = Loaded.class.getName().replace('.', '/');
      assertThat(asked).anyMatch(one -> one.contains(loaded) && one.contains(OURS));
    }

    private static boolean isForOthers(Thread thread) {
      return thread.getName().equals("jvmtools-snapshots");
    }

    private static Stream<Thread> threads() {
      return Thread.getAllStackTraces().keySet().stream();
    }

    private static String name() {
      return Thread.currentThread().getName();
    }
  }

  /** What it asked the JVM to tell of slows everybody down. */
  @ParameterizedTest
  @EnumSource
  void aForgottenEnvironmentIsClosedWithoutBeingAskedFor(WayIn way) {
    way.of(Forgotten.class).run().succeeds();
  }

  static final class Forgotten {
    public static void main(String[] args) {
      NativeLibrary.load();
      long env = listening();
      Eventually.isTrue(
          "it is closed",
          () -> {
            System.gc();
            return !GeneralNatives.isOpen(env);
          });
    }

    @SuppressWarnings("ReachabilityFenceUsage") // What fails is not forgotten.
    private static long listening() {
      Object owner = new Object();
      long env = GeneralNatives.open(owner);
      SilentDelivery.listen(env);
      assertThat(GeneralNatives.isOpen(env)).isTrue();
      Reference.reachabilityFence(owner);
      return env;
    }
  }

  @Test
  void threadsThatHaveEndedLeaveNoPlace() {
    ChildJvm.of(EndOfMany.class).run().succeeds();
  }

  static final class EndOfMany {

    private static final int AT_ONCE = 500;

    public static void main(String[] args) throws InterruptedException {
      Jvmti jvmti = Jvmti.open();
      try (Subscription one = jvmti.events().on(THREAD_END, event -> {})) {
        // From here on the JVM tells the library of ends, before it tells the listener.
        SelfTestNatives.pretendThreads(10_000);
        int before = SelfTestNatives.placedThreads();
        CountDownLatch all = new CountDownLatch(AT_ONCE);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          Thread thread = new Thread(() -> meet(all));
          thread.start();
          threads.add(thread);
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(one.counts().delivered()).isGreaterThanOrEqualTo(AT_ONCE);
        assertThat(SelfTestNatives.placedThreads() - before).isLessThan(AT_ONCE / 10);
      }
    }

    /** All are there at once, so that no two have one address. */
    private static void meet(CountDownLatch all) {
      all.countDown();
      await(all);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
