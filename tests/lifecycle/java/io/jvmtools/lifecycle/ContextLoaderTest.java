package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The context class loader of who calls is a user's: it may throw, wait or be stopped, and nothing
 * of ours asks it; and a heap that is full is an error, whatever we have to tell.
 */
class ContextLoaderTest {

  @ParameterizedTest
  @EnumSource
  void isNotAsked(WayIn way) {
    way.of(FirstUse.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void isNotWaitedFor(WayIn way) {
    way.of(Locked.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void aFullHeapIsAnErrorOfJava(WayIn way) {
    way.of(FullHeap.class).jvmArgs("-Xmx24m", "-XX:+UseSerialGC").run().succeeds();
  }

  /** Knows nothing, and remembers what it was asked for. */
  private static final class Ignorant extends ClassLoader {

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    Ignorant() {
      super(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) {
      asked.add(name);
      throw new IllegalStateException("this application was stopped");
    }
  }

  static final class FirstUse {

    public static void main(String[] args) throws Exception {
      Ignorant loader = new Ignorant();
      Thread.currentThread().setContextClassLoader(loader);
      Thread subclass = new Thread() {};
      Parked parked = Parked.inPark();
      assertThat(JvmTools.getAllThreads()).contains(parked.thread());
      assertThat(JvmTools.getThreadInfo(parked.thread()).name()).isNotNull();
      assertThat(JvmTools.getThreadGroupInfo(subclass.getThreadGroup())).isNotNull();
      assertThat(JvmTools.getThreadGroupChildren(subclass.getThreadGroup())).isNotNull();
      assertThat(JvmTools.getImplementedInterfaces(String.class)).isNotEmpty();
      JvmTools.setTag(subclass, 1);
      assertThat(JvmTools.getObjectsWithTag(1, Thread.class)).containsExactly(subclass);
      assertThat(JvmTools.threadDump().threads()).isNotEmpty();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)) {
        AssertionError error = new AssertionError("an action's own");
        assertThatExceptionOfType(AssertionError.class)
            .isThrownBy(
                () ->
                    jvmti
                        .threads()
                        .withSuspended(
                            parked.thread(),
                            Duration.ofSeconds(5),
                            () -> {
                              throw error;
                            }))
            .isSameAs(error);
      }
      assertThat(loader.asked).isEmpty();
    }
  }

  /** Two threads deadlocked over the lock of the loader that everybody has. */
  static final class Locked {

    public static void main(String[] args) throws Exception {
      ClassLoader loader = new Ignorant();
      Object other = new Object();
      CountDownLatch both = new CountDownLatch(2);
      Thread.currentThread().setContextClassLoader(loader);
      start(loader, other, both);
      start(other, loader, both);
      both.await();
      ThreadDump dump = JvmTools.threadDump();
      while (dump.deadlocks().isEmpty()) {
        dump = JvmTools.threadDump();
      }
    }

    private static void start(Object first, Object second, CountDownLatch both) {
      Thread thread =
          new Thread(
              () -> {
                synchronized (first) {
                  both.countDown();
                  awaitQuietly(both);
                  synchronized (second) {
                    throw new AssertionError("nobody has both");
                  }
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private static void awaitQuietly(CountDownLatch both) {
      try {
        both.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static final class FullHeap {

    private static final int ROUNDS = 3;
    private static final Thread THREAD = Thread.currentThread();

    /** All that a round needs is there before the heap is full. */
    private static final Runnable[] CALLS = {
      () -> JvmTools.getThreadInfo(THREAD),
      JvmTools::getAllThreads,
      () -> JvmTools.getStackTrace(THREAD),
      JvmTools::threadDump
    };

    private static final Throwable[] THROWN = new Throwable[ROUNDS * CALLS.length];
    private static Object[] all;

    public static void main(String[] args) {
      JvmTools.getAllThreads();
      for (int i = 0; i < THROWN.length; i++) {
        // Once it is full, what a call has freed is little.
        fill(i == 0 ? 1 << 20 : 1);
        try {
          CALLS[i % CALLS.length].run();
        } catch (Throwable thrown) {
          THROWN[i] = thrown;
        }
      }
      all = null;
      assertThat(THROWN).filteredOn(Objects::nonNull).isNotEmpty();
      assertThat(THROWN)
          .filteredOn(Objects::nonNull)
          .allMatch(thrown -> thrown instanceof OutOfMemoryError);
      assertThat(JvmTools.threadDump().threads()).isNotEmpty();
    }

    /** Nothing is left, not even for one more of the smallest. */
    private static void fill(int largest) {
      for (int size = largest; size > 0; size /= 2) {
        try {
          while (true) {
            Object[] one = new Object[size];
            one[0] = all;
            all = one;
          }
        } catch (OutOfMemoryError full) {
          // Smaller ones.
        }
      }
    }
  }
}
