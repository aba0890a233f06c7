package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.event.AllocationProfile;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventCounts;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Profile;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.ProfileSnapshot;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Everything of which events tell, all at once, while listeners of every kind come and go, and
 * threads are suspended and dumped. Each listener knows of every event what became of it.
 */
final class EventStorm {

  /** So much that a listener does not return before, and no Java runs any more. */
  private static final long PATIENCE_MILLIS = 60_000;

  private static final int METHOD_EXIT_IS_SILENT = 21;

  private static final int VIRTUAL_THREADS = 21;

  private static final int ENVIRONMENTS = 3;
  private static final int LISTENERS = 12;

  /** What the JVM tells of each bytecode, or each call, is asked for of a few methods only. */
  private static final EventFilter FEW = EventFilter.ANY.classes("*EventStorm*", "*Relay");

  private static final int OFTEN = 1 << 16;
  private static final int MOST_STACKS = 20;
  private static final ProfileOptions FEW_STACKS = ProfileOptions.DEFAULT.stacks(MOST_STACKS);

  private static final List<EventType<?>> KINDS = kinds();

  private final long end;

  /** One alone can hold the capability. */
  private final Jvmti suspending = Jvmti.open(Capability.CAN_SUSPEND);

  private final AtomicLong told = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Object lock = new Object();
  private volatile int written;

  private EventStorm(long millis) {
    end = System.nanoTime() + millis * 1_000_000;
  }

  /** For so many milliseconds. */
  public static void main(String[] args) throws InterruptedException {
    new EventStorm(Long.parseLong(args[0])).run();
  }

  private void run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Work work :
        List.<Work>of(
            this::loads,
            this::loads,
            this::fails,
            this::contends,
            this::contends,
            this::waits,
            this::starts,
            this::makes,
            this::writes,
            this::dumps,
            this::suspends)) {
      threads.add(start(work));
    }
    for (int i = 0; i < ENVIRONMENTS; i++) {
      threads.add(start(this::listens));
    }
    long patience = System.nanoTime() + PATIENCE_MILLIS * 1_000_000 + (end - System.nanoTime());
    for (Thread thread : threads) {
      thread.join(Math.max(1, (patience - System.nanoTime()) / 1_000_000));
      assertThat(thread.isAlive()).as(thread + " ends").isFalse();
    }
    assertThat(failure.get()).isNull();
    assertThat(told.get()).isPositive();
    System.out.println("told " + told + ", lost " + lost + ", not waited for " + late);
  }

  /** What is done again and again. */
  private interface Work {
    void once(Random random) throws Exception;
  }

  private Thread start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Random random = ThreadLocalRandom.current();
                while (System.nanoTime() < end && failure.get() == null) {
                  work.once(random);
                }
              } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void loads(Random random) {
    Runnable relay =
        new ClassFiles.Loader("storm").relay(ClassFiles.of(Relay.class), () -> written++);
    for (int i = random.nextInt(3_000); i >= 0; i--) {
      relay.run();
    }
  }

  private void fails(Random random) {
    try {
      throw new IllegalStateException("of the storm");
    } catch (IllegalStateException expected) {
      written++;
    }
  }

  private void contends(Random random) {
    synchronized (lock) {
      written++;
    }
  }

  private void waits(Random random) throws InterruptedException {
    Object mine = new Object();
    synchronized (mine) {
      mine.wait(1);
    }
  }

  private void starts(Random random) throws InterruptedException {
    Thread thread =
        Parked.hasVirtualThreads() && random.nextBoolean()
            ? Parked.startVirtual(() -> written++)
            : new Thread(() -> written++);
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    thread.join();
  }

  private void makes(Random random) {
    Object[] made = new Object[random.nextInt(1 << 16)];
    if (made.length < 100) {
      System.gc();
    }
    written += made.clone().length;
  }

  private void writes(Random random) {
    written = written + random.nextInt();
  }

  private void dumps(Random random) {
    assertThat(suspending.dumps().take().threads()).isNotEmpty();
  }

  private void suspends(Random random) throws InterruptedException {
    Thread victim = new Thread(() -> contends(random));
    victim.start();
    suspending.threads().suspend(List.of(victim));
    suspending.threads().resume(List.of(victim));
    victim.join();
  }

  /** An environment with listeners, which come and go. */
  private void listens(Random random) {
    try (Jvmti jvmti = Jvmti.open()) {
      List<Profile> profiles = profiles(jvmti, random);
      List<SnapshotPoint> points = points(jvmti, random);
      List<PlaceSubscription> places = places(jvmti, random);
      List<Subscription> all = new ArrayList<>();
      for (int i = random.nextInt(LISTENERS); i >= 0; i--) {
        EventType<?> kind = KINDS.get(random.nextInt(KINDS.size()));
        if (isToBeHad(jvmti, kind)) {
          all.add(listen(jvmti, kind, random));
        }
        if (random.nextInt(3) == 0 && !all.isEmpty()) {
          close(all.remove(random.nextInt(all.size())));
        }
      }
      jvmti.events().flush();
      all.forEach(this::close);
      profiles.forEach(this::close);
      points.forEach(this::close);
      places.forEach(this::close);
    } catch (StalledException busy) {
      // On a busy machine five seconds may be too short, and whoever waits is told so.
      late.incrementAndGet();
    }
  }

  /** Threads come by where something fails, and stop there. */
  private List<SnapshotPoint> points(Jvmti jvmti, Random random) {
    if (random.nextInt(3) > 0 || !hasPlaces(jvmti)) {
      return List.of();
    }
    return List.of(
        jvmti
            .snapshots()
            .onException(IllegalStateException.class)
            .onlyIf(frame -> frame.local("this", Throwable.class) != null)
            .keepFramesOf("io.jvmtools")
            .limit(1 + random.nextInt(100))
            .onError(thrown -> failure.compareAndSet(null, thrown))
            .forEach(snapshot -> told.addAndGet(snapshot.frames().size())));
  }

  /** Classes with the place come and go. */
  private List<PlaceSubscription> places(Jvmti jvmti, Random random) {
    if (random.nextInt(3) > 0 || !hasPlaces(jvmti)) {
      return List.of();
    }
    PlaceSubscription one =
        jvmti
            .events()
            .at(
                CodePlace.entry(Relay.class.getName(), "run"),
                frame -> told.addAndGet(frame.locals().size() + frame.stackTrace(3).size()));
    return List.of(one.onError(thrown -> failure.compareAndSet(null, thrown)));
  }

  private static boolean hasPlaces(Jvmti jvmti) {
    return isToBeHad(
        jvmti, Capability.CAN_GENERATE_BREAKPOINT_EVENTS, Capability.CAN_ACCESS_LOCAL_VARIABLES);
  }

  private void close(SnapshotPoint one) {
    one.close();
    assertThat(one.counts().failed()).as(one.toString()).isZero();
    lost.addAndGet(one.counts().lost());
  }

  private void close(PlaceSubscription one) {
    one.close();
    // A class that is prepared at this moment has it for a moment more.
    Eventually.isTrue("they are cleared", () -> one.breakpoints().isEmpty());
    assertThat(one.counts().failed()).isZero();
  }

  /** What counts events in place of being told of each, of one kind at most. */
  private static List<Profile> profiles(Jvmti jvmti, Random random) {
    int which = random.nextInt(4);
    if (which == 0 && isToBeHad(jvmti, EventTypes.SAMPLED_OBJECT_ALLOC)) {
      return List.of(jvmti.profile().allocations(OFTEN, FEW_STACKS));
    }
    if (which == 1 && isToBeHad(jvmti, EventTypes.EXCEPTION)) {
      return List.of(jvmti.profile().exceptions(FEW_STACKS));
    }
    if (which == 2 && isToBeHad(jvmti, EventTypes.MONITOR_CONTENDED_ENTERED)) {
      return List.of(jvmti.profile().contention(FEW_STACKS));
    }
    return List.of();
  }

  private void close(Profile one) {
    assertThat(one.snapshot().toCollapsed().lines())
        .allMatch(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) >= 0);
    if (one instanceof AllocationProfile allocations) {
      assertThat(allocations.live().count()).isNotNegative();
    }
    one.close();
    ProfileSnapshot counted = one.snapshot();
    assertThat(counted.entries()).hasSizeLessThanOrEqualTo(MOST_STACKS);
    told.addAndGet(counted.count());
  }

  private static boolean isToBeHad(Jvmti jvmti, EventType<?> kind) {
    if (kind == EventTypes.FRAME_POP || kind == EventTypes.BREAKPOINT) {
      return false;
    }
    // -Xcheck:jni would complain of natives that return meanwhile, as it does of a plain agent's.
    if (kind == EventTypes.METHOD_EXIT && Installation.feature() < METHOD_EXIT_IS_SILENT) {
      return false;
    }
    if (kind.name().startsWith("VirtualThread") && Installation.feature() < VIRTUAL_THREADS) {
      return false;
    }
    return isToBeHad(jvmti, kind.capability().stream().toArray(Capability[]::new));
  }

  private static boolean isToBeHad(Jvmti jvmti, Capability... wanted) {
    try {
      jvmti.add(wanted);
      return true;
    } catch (MissingCapabilityException another) {
      return false;
    }
  }

  private Subscription listen(Jvmti jvmti, EventType<?> kind, Random random) {
    EventFilter filter = EventFilter.ANY;
    if (kind == EventTypes.SINGLE_STEP
        || kind == EventTypes.METHOD_ENTRY
        || kind == EventTypes.METHOD_EXIT) {
      filter = FEW;
    }
    if (random.nextInt(4) == 0) {
      filter = filter.perSecond(100);
    }
    Subscription one = jvmti.events().on(kind, filter, event -> told.incrementAndGet());
    return one.onError(thrown -> failure.compareAndSet(null, thrown));
  }

  private void close(Subscription one) {
    one.close();
    EventCounts counts = one.counts();
    lost.addAndGet(counts.lost());
    assertThat(counts.failed()).as(one.type().name()).isZero();
  }

  private static List<EventType<?>> kinds() {
    List<EventType<?>> kinds = new ArrayList<>();
    for (Field field : EventTypes.class.getFields()) {
      try {
        if (field.get(null) instanceof EventType<?> kind) {
          kinds.add(kind);
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return kinds;
  }
}
