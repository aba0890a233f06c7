package io.jvmtools.functions.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Parked;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RunAgentThread. */
class RunAgentThreadTest {

  @ParameterizedTest
  @ValueSource(ints = {Thread.MIN_PRIORITY, Thread.NORM_PRIORITY, Thread.MAX_PRIORITY})
  void theBodyRunsOnTheThread(int priority) throws InterruptedException {
    AtomicBoolean ownRun = new AtomicBoolean();
    Thread thread = new Thread(() -> ownRun.set(true), "of the agent");
    Body body = new Body();
    JvmTools.runAgentThread(thread, body, priority);
    thread.join();
    assertThat(body.thread).isSameAs(thread);
    assertThat(body.daemon).isTrue();
    assertThat(body.priority).isEqualTo(priority);
    assertThat(body.frames).as("its own frame").isEqualTo(1);
    assertThat(ownRun).isFalse();
    assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
  }

  @Test
  void itIsAThreadLikeOthersWhileItRuns() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread thread = new Thread(null, null, "of the agent");
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti
          .threads()
          .runAgentThread(
              thread,
              () -> {
                inside.countDown();
                try {
                  over.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              },
              Thread.NORM_PRIORITY);
      inside.await();
    }
    assertThat(JvmTools.getAllThreads()).as("after close() too").contains(thread);
    assertThat(Thread.getAllStackTraces().keySet()).doesNotContain(thread);
    assertThat(thread.isAlive()).isTrue();
    over.countDown();
    thread.join();
    assertThat(JvmTools.getAllThreads()).doesNotContain(thread);
  }

  @Test
  void whatTheBodyThrowsGoesToTheHandler() throws InterruptedException {
    for (Throwable thrown : List.of(new IllegalStateException("thrown"), new AssertionError())) {
      AtomicReference<Throwable> caught = new AtomicReference<>();
      AtomicReference<Thread> dying = new AtomicReference<>();
      Thread thread = new Thread("of the agent");
      thread.setUncaughtExceptionHandler(
          (of, exception) -> {
            dying.set(of);
            caught.set(exception);
          });
      JvmTools.runAgentThread(thread, () -> sneak(thrown), Thread.NORM_PRIORITY);
      thread.join();
      assertThat(caught.get()).isSameAs(thrown);
      assertThat(dying.get()).isSameAs(thread);
    }
  }

  @Test
  void aThreadThatWasStartedIsRefused() {
    AtomicBoolean ran = new AtomicBoolean();
    try (Parked worker = Parked.inPark()) {
      for (Thread thread : List.of(worker.thread(), Parked.ended(), Thread.currentThread())) {
        assertThatExceptionOfType(JvmtiException.class)
            .isThrownBy(() -> JvmTools.runAgentThread(thread, () -> ran.set(true), 5))
            .satisfies(
                e -> {
                  assertThat(e.code()).isEqualTo(10);
                  assertThat(e.function()).isEqualTo("RunAgentThread");
                });
      }
    }
    assertThat(ran).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 11, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void aPriorityThatThereIsNotIsRefused(int priority) {
    Thread thread = new Thread("of the agent");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JvmTools.runAgentThread(thread, () -> {}, priority))
        .withMessage("priority must be from 1 to 10: " + priority);
    assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadIsRefused() {
    Thread thread = VirtualThreads.unstarted("virtual");
    assertThatExceptionOfType(NotSupportedException.class)
        .isThrownBy(() -> JvmTools.runAgentThread(thread, () -> {}, 5));
    assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
  }

  @Test
  void aThreadWhoseConstructorHasNotRunIsRefused() throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    Method allocate = unsafe.getMethod("allocateInstance", Class.class);
    Thread thread = (Thread) allocate.invoke(only.get(null), Thread.class);
    assertThatExceptionOfType(JvmtiException.class)
        .isThrownBy(() -> JvmTools.runAgentThread(thread, () -> {}, 5))
        .satisfies(e -> assertThat(e.code()).isEqualTo(10));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** A lambda would have a hidden frame more. */
  private static final class Body implements Runnable {

    private Thread thread;
    private boolean daemon;
    private int priority;
    private int frames;

    @Override
    public void run() {
      thread = Thread.currentThread();
      daemon = thread.isDaemon();
      priority = thread.getPriority();
      frames = JvmTools.getFrameCount(thread);
    }
  }
}
