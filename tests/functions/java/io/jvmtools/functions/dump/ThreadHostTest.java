package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpedName;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** What runs a thread, as the operating system and the thread itself know it. */
class ThreadHostTest {

  private static final Duration TICK = Duration.ofMillis(20);

  @Test
  @EnabledOnOs(OS.LINUX)
  void aThreadIsTheOneOfItsNameInTheOperatingSystem() throws Exception {
    try (Jvmti bare = Jvmti.open();
        Jvmti suspending = Jvmti.open(Capability.CAN_SUSPEND)) {
      List<Supplier<ThreadDump>> doors =
          List.of(bare.dumps()::take, suspending.dumps()::take, JvmTools::threadDump);
      for (Supplier<ThreadDump> door : doors) {
        long before = System.nanoTime();
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch named = new CountDownLatch(1);
        Thread alive =
            new Thread(
                () -> {
                  // By now it has told the operating system, which it does itself.
                  named.countDown();
                  await(over);
                },
                "one to be found");
        alive.start();
        named.await();
        DumpedThread thread = door.get().thread(alive).orElseThrow();
        Duration atMost = Duration.ofNanos(System.nanoTime() - before).plus(TICK);
        assertThat(thread.elapsedTime().orElseThrow()).isLessThan(atMost);
        Path task = Path.of("/proc/self/task/" + thread.nativeId().orElseThrow());
        assertThat(task.resolve("comm")).content().isEqualTo("one to be found\n");
        over.countDown();
        alive.join();
      }
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whoIsOlderHasRunLonger() throws Exception {
    ThreadDump dump = JvmTools.threadDump();
    Duration first = elapsed(dump, Thread.currentThread());
    try (Parked parked = Parked.inPark()) {
      ThreadDump later = JvmTools.threadDump();
      assertThat(elapsed(later, Thread.currentThread())).isGreaterThanOrEqualTo(first);
      assertThat(elapsed(later, parked.thread()))
          .isLessThanOrEqualTo(elapsed(later, Thread.currentThread()).plus(TICK));
      Duration uptime = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
      assertThat(elapsed(later, Thread.currentThread())).isLessThan(uptime.plusSeconds(10));
    }
  }

  private static Duration elapsed(ThreadDump dump, Thread thread) {
    return dump.thread(thread).orElseThrow().elapsedTime().orElseThrow();
  }

  @Test
  void eachPlatformThreadHasANumberOfItsOwn() {
    ThreadDump dump = JvmTools.threadDump();
    // One that has ended since has none any more.
    List<DumpedThread> platform =
        JvmTools.getAllThreads().stream().flatMap(thread -> dump.thread(thread).stream()).toList();
    assertThat(platform).filteredOn(thread -> thread.nativeId().isEmpty()).isEmpty();
    assertThat(platform.stream().map(thread -> thread.nativeId().orElseThrow()))
        .doesNotHaveDuplicates();
    assertThat(platform).allMatch(thread -> thread.carrier().isEmpty());
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void aVirtualThreadHasTheCarrierThatItNames() throws Exception {
    CompletableFuture<String> mounted = new CompletableFuture<>();
    CountDownLatch over = new CountDownLatch(1);
    Thread spinning =
        VirtualThreads.start(
            "spinning",
            () -> {
              mounted.complete(Thread.currentThread().toString());
              while (over.getCount() > 0) {
                Thread.onSpinWait();
              }
            });
    String itself = mounted.get();
    Thread waiting = VirtualThreads.start("waiting", () -> await(over));
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    ThreadDump dump = JvmTools.threadDump();
    over.countDown();
    DumpedThread thread = dump.thread(spinning).orElseThrow();
    DumpedName carrier = thread.carrier().orElseThrow();
    assertThat(itself).endsWith("@" + carrier.name());
    assertThat(dump.threads())
        .filteredOn(one -> one.carried().isPresent() && one.id() == carrier.id())
        .singleElement()
        .matches(one -> !one.isVirtual() && one.carried().orElseThrow().id() == thread.id());
    assertThat(thread.toString()).contains(" carrier=" + carrier);
    assertThat(thread.nativeId()).isEmpty();
    assertThat(thread.elapsedTime()).isEmpty();
    assertThat(thread.container()).isEmpty();
    assertThat(dump.thread(waiting).orElseThrow().carrier()).isEmpty();
    spinning.join();
    waiting.join();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void aVirtualThreadIsDumpedByItself() throws Exception {
    CompletableFuture<ThreadDump> taken = new CompletableFuture<>();
    Thread dumping = VirtualThreads.start("dumping", () -> taken.complete(JvmTools.threadDump()));
    DumpedThread thread = taken.get().thread(dumping).orElseThrow();
    assertThat(thread.carrier()).isPresent();
    assertThat(taken.get().thread(Thread.currentThread()).orElseThrow().nativeId()).isPresent();
    dumping.join();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void aTaskIsInTheContainerOfItsExecutor() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    ExecutorService each =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    ForkJoinPool pool = new ForkJoinPool(1);
    CompletableFuture<Thread> inEach = new CompletableFuture<>();
    CompletableFuture<Thread> inPool = new CompletableFuture<>();
    each.execute(() -> tellAndAwait(inEach, over));
    pool.execute(() -> tellAndAwait(inPool, over));
    Thread virtual = inEach.get();
    Thread worker = inPool.get();
    ThreadDump dump = JvmTools.threadDump();
    over.countDown();
    each.shutdown();
    pool.shutdown();
    String identity = each.getClass().getName() + "@" + Integer.toHexString(each.hashCode());
    assertThat(dump.thread(virtual).orElseThrow().container()).contains(identity);
    assertThat(dump.thread(worker).orElseThrow().container().orElseThrow())
        .contains("ForkJoinPool");
    assertThat(dump.thread(Thread.currentThread()).orElseThrow().container()).isEmpty();
  }

  private static void tellAndAwait(CompletableFuture<Thread> who, CountDownLatch over) {
    who.complete(Thread.currentThread());
    await(over);
  }

  private static void await(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
