package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.SAMPLED_OBJECT_ALLOC;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.support.GcUntil;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JDK 21 writes into memory that it has freed once a thread has ended that attached itself
 * (JDK-8319935). So there the library's own do not end, and do what comes next.
 */
class KeptThreadsTest {

  private static final int ENVIRONMENTS = 300;

  @ParameterizedTest
  @EnumSource
  void threadsThatTellOfManyEnvironmentsHarmNobodyWhileAllocationsAreSampled(WayIn way) {
    way.of(Sampling.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfAListenerStaysWithThem(WayIn way) {
    way.of(Leaving.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void whileTheyAreSuspendedOthersDoWhatComesNext(WayIn way) {
    way.of(Suspended.class).run().succeeds();
  }

  static final class Suspended {

    private static final Duration LONG = Duration.ofMinutes(1);

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      tell(told);
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int i = 0; i < 3; i++) {
          jvmti.threads().withOthersSuspended(LONG, () -> tell(told));
        }
        tell(told);
      }
      assertThat(told.get()).isGreaterThanOrEqualTo(5);
    }

    private static Void tell(AtomicLong told) {
      try (Jvmti jvmti = Jvmti.open()) {
        jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> told.incrementAndGet());
        jvmti.events().generate(DYNAMIC_CODE_GENERATED);
        jvmti.events().flush();
      }
      return null;
    }
  }

  static final class Sampling {

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      for (int i = 0; i < ENVIRONMENTS; i++) {
        try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS)) {
          try (var sampled = jvmti.events().on(SAMPLED_OBJECT_ALLOC, event -> {})) {
            jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> told.incrementAndGet());
            jvmti.events().generate(DYNAMIC_CODE_GENERATED);
            jvmti.events().flush();
            assertThat(sampled.counts().failed()).isZero();
          }
          // All threads are given what the JVM keeps for those who may be told of it.
          jvmti.events().on(CLASS_PREPARE, event -> {});
        }
      }
      assertThat(told.get()).as("each was told").isGreaterThanOrEqualTo(ENVIRONMENTS);
      assertThat(tellers()).as("they do what comes next").isLessThan(ENVIRONMENTS / 5);
    }

    private static long tellers() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("jvmtools-events"))
          .count();
    }
  }

  static final class Leaving {

    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

    private static final List<List<Object>> FOUND = new CopyOnWriteArrayList<>();

    public static void main(String[] args) {
      GcUntil.cleared(leave());
      // Those of the library that wait are in this group, too.
      Thread.currentThread().getThreadGroup().interrupt();
      assertThat(Thread.interrupted()).isTrue();
      GcUntil.cleared(leave());
      assertThat(FOUND.get(1))
          .isEqualTo(FOUND.get(0))
          .startsWith(null, null, false, "jvmtools-events", Thread.NORM_PRIORITY);
    }

    private static WeakReference<Loader> leave() {
      Loader loader = new Loader();
      WeakReference<Loader> left = new WeakReference<>(loader);
      try (Jvmti jvmti = Jvmti.open()) {
        jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> leave(left.get()));
        jvmti.events().generate(DYNAMIC_CODE_GENERATED);
        jvmti.events().flush();
        assertThat(loader.isLeft).isTrue();
      }
      return left;
    }

    private static void leave(Loader loader) {
      Thread thread = Thread.currentThread();
      if (!loader.isLeft) {
        FOUND.add(
            Arrays.asList(
                LOCAL.get(),
                INHERITED.get(),
                Thread.interrupted(),
                thread.getName(),
                thread.getPriority(),
                thread.getContextClassLoader()));
      }
      LOCAL.set(loader);
      INHERITED.set(loader);
      thread.setContextClassLoader(loader);
      thread.setUncaughtExceptionHandler(loader);
      thread.setName("renamed");
      thread.setPriority(Thread.MIN_PRIORITY);
      thread.interrupt();
      loader.isLeft = true;
    }
  }

  /** Of an application that is taken down. */
  static final class Loader extends ClassLoader implements Thread.UncaughtExceptionHandler {

    private volatile boolean isLeft;

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {}
  }
}
