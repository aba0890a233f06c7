package io.jvmtools.matrix;

import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_CURRENT_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.support.Child;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;

/** The child of a row: uses what the library has, and says each fact that it has found true. */
final class Exercise {

  /** What it says. */
  static final List<String> FACTS =
      List.of(
          "the JVM is as asked for",
          "threads and stacks",
          "sizes",
          "tags and hashes stay with objects that move",
          "tags go with their objects",
          "timers",
          "a suspended thread stands still while garbage is collected",
          "a dump names the deadlock");

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int OBJECTS = 4_000;
  private static final int LARGE = 8 << 20;
  private static final int GARBAGE_FOR_EACH = 16;
  private static final long TAG = 1L << 62 | 42;

  private final MemoryLayout layout;
  private final Jvmti jvmti;

  private Exercise(MemoryLayout layout, Jvmti jvmti) {
    this.layout = layout;
    this.jvmti = jvmti;
  }

  public static void main(String[] args) {
    try (Jvmti jvmti =
        Jvmti.open(
            CAN_TAG_OBJECTS,
            CAN_SUSPEND,
            CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
            CAN_GET_CURRENT_CONTENDED_MONITOR,
            CAN_GET_THREAD_CPU_TIME,
            CAN_GET_CURRENT_THREAD_CPU_TIME)) {
      Exercise exercise = new Exercise(MemoryLayout.valueOf(args[0]), jvmti);
      List<Runnable> steps =
          List.of(
              exercise.layout::check,
              exercise::threadsAndStacks,
              exercise::sizes,
              exercise::moving,
              exercise::dying,
              exercise::timers,
              exercise::suspension,
              exercise::dump);
      for (int i = 0; i < steps.size(); i++) {
        steps.get(i).run();
        Child.say(FACTS.get(i));
      }
    }
  }

  private void threadsAndStacks() {
    try (Parked worker = Parked.inPark()) {
      assertThat(jvmti.threads().all()).contains(worker.thread(), Thread.currentThread());
      assertThat(jvmti.threads().state(worker.thread()).isParked()).isTrue();
      StackTrace trace = jvmti.frames().stackTrace(worker.thread());
      assertThat(trace.toStackTraceElements())
          .usingElementComparator(Exercise::compare)
          .containsExactly(worker.thread().getStackTrace());
      assertThat(JvmTools.getAllStackTraces().get(worker.thread())).isEqualTo(trace);
    }
    if (Parked.hasVirtualThreads()) {
      try (Parked virtual = Parked.virtual()) {
        assertThat(jvmti.frames().stackTrace(virtual.thread()).toString()).contains("Parked");
      }
    }
  }

  /** Java's own elements also know the name of the class loader. */
  private static int compare(StackTraceElement one, StackTraceElement other) {
    return (one.getClassName() + one.getMethodName() + one.getLineNumber())
        .compareTo(other.getClassName() + other.getMethodName() + other.getLineNumber());
  }

  private void sizes() {
    assertThat(Addresses.SCALE).isEqualTo(layout.referenceSize());
    assertThat(jvmti.objects().size(new Object())).isEqualTo(layout.smallestObject());
    for (int length : new int[] {0, 1, 2, 3, 1_000, 100_001}) {
      long bytes = Addresses.BASE + (long) length * Addresses.SCALE;
      assertThat(jvmti.objects().size(new Object[length]))
          .as("Object[%d]", length)
          .isEqualTo((bytes + 7) / 8 * 8);
    }
  }

  private void moving() {
    List<Object> large = List.of(new byte[LARGE]);
    long[] place = Addresses.of(large, layout);
    List<Object> objects = new ArrayList<>();
    Map<Object, Integer> hashes = new IdentityHashMap<>();
    // Where a collection came in between, the objects lie side by side and have no reason to move.
    Eventually.isTrue(
        "objects move",
        () -> {
          List<Object> batch = amongGarbage();
          batch.forEach(object -> jvmti.objects().setTag(object, TAG));
          batch.forEach(object -> hashes.put(object, System.identityHashCode(object)));
          objects.addAll(batch);
          long[] before = Addresses.of(batch, layout);
          System.gc();
          return Addresses.differ(before, Addresses.of(batch, layout));
        });
    jvmti.objects().setTag(objects.get(0), -1);
    jvmti.objects().clearTag(objects.get(1));
    if (layout.isZ()) {
      assertThat(Addresses.of(large, layout))
          .as("ZGC moves nothing large: the bits of the collector are not taken for an address")
          .isEqualTo(place);
    }

    assertThat(jvmti.objects().tag(objects.get(0))).hasValue(-1);
    assertThat(jvmti.objects().tag(objects.get(1))).isEmpty();
    List<Object> tagged = objects.subList(2, objects.size());
    assertThat(tagged).allMatch(object -> jvmti.objects().tag(object).orElse(0) == TAG);
    assertThat(new HashSet<>(jvmti.objects().withTag(TAG, Object.class)))
        .isEqualTo(new HashSet<>(tagged));
    assertThat(jvmti.objects().withTag(-1, Object.class)).containsExactly(objects.get(0));
    assertThat(objects)
        .allMatch(object -> jvmti.objects().identityHash(object) == hashes.get(object));
  }

  /** So that every collector finds it worth its while to move them. */
  private static List<Object> amongGarbage() {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      objects.add(new Object());
      for (int j = 0; j < GARBAGE_FOR_EACH; j++) {
        garbage = new byte[256];
      }
    }
    return objects;
  }

  private static volatile byte[] garbage;

  private void dying() {
    GcUntil.cleared(tagAndDrop());
    assertThat(jvmti.objects().withTag(7, Object.class)).isEmpty();
  }

  private WeakReference<?> tagAndDrop() {
    Object object = new Object();
    jvmti.objects().setTag(object, 7);
    assertThat(jvmti.objects().withTag(7, Object.class)).containsExactly(object);
    return new WeakReference<>(object);
  }

  private void timers() {
    ThreadMXBean management = ManagementFactory.getThreadMXBean();
    Thread self = Thread.currentThread();
    assertThat(
            Stream.of(
                management.getCurrentThreadCpuTime(),
                jvmti.timers().currentThreadCpuTime().toNanos(),
                jvmti.timers().threadCpuTime(self).toNanos(),
                management.getCurrentThreadCpuTime()))
        .isSorted();
    assertThat(Stream.of(System.nanoTime(), jvmti.timers().time().toNanos(), System.nanoTime()))
        .isSorted();
  }

  /** Makes garbage of every number it has counted to. */
  private static final class Counter implements Runnable {
    private volatile long[] last = {0};
    private volatile boolean over;

    @Override
    public void run() {
      while (!over) {
        last = new long[] {last[0] + 1};
      }
    }

    long count() {
      return last[0];
    }

    void advances() {
      long before = count();
      Eventually.isTrue("it runs", () -> count() > before);
    }
  }

  private void suspension() {
    Counter counter = new Counter();
    Thread worker = daemon(counter);
    counter.advances();
    long[] counts =
        jvmti.threads().withSuspended(worker, LONG, () -> countAroundCollection(worker, counter));
    assertThat(counts[0]).isPositive().isEqualTo(counts[1]);
    assertThat(jvmti.threads().state(worker).isSuspended()).isFalse();
    counter.advances();
    counter.over = true;
  }

  private long[] countAroundCollection(Thread worker, Counter counter) {
    long before = counter.count();
    System.gc();
    if (!jvmti.threads().state(worker).isSuspended()) {
      throw new AssertionError("not suspended");
    }
    return new long[] {before, counter.count()};
  }

  private void dump() {
    Object[] locks = {new Object(), new Object()};
    CyclicBarrier both = new CyclicBarrier(2);
    Thread one = daemon(() -> lock(locks[0], locks[1], both));
    Thread other = daemon(() -> lock(locks[1], locks[0], both));
    for (Thread thread : List.of(one, other)) {
      Eventually.isTrue("it blocks", () -> thread.getState() == Thread.State.BLOCKED);
    }
    ThreadDump dump = jvmti.dumps().take(LONG);
    assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
    assertThat(dump.deadlocks()).hasSize(1);
    assertThat(dump.deadlocks().get(0).threads().stream().map(DumpedThread::id))
        .containsExactlyInAnyOrder(one.getId(), other.getId());
    assertThat(dump.threads().stream().map(DumpedThread::id))
        .contains(Thread.currentThread().getId());
    assertThat(Arrays.stream(locks).map(System::identityHashCode))
        .allMatch(hash -> dump.toString().contains(Integer.toHexString(hash)));
  }

  private static void lock(Object first, Object second, CyclicBarrier both) {
    synchronized (first) {
      try {
        both.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      synchronized (second) {
        throw new IllegalStateException("no deadlock");
      }
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
