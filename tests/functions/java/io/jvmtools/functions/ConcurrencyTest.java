package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.Phase;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.AtOnce;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything from eight threads at once, about each other and about threads that come and go. */
@Tag(UnderTheAgentTest.ONCE)
class ConcurrencyTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 100;

  @Test
  void eightThreadsMayUseOneEnvironment() throws Exception {
    try (Jvmti jvmti =
        Jvmti.open(
            Capability.CAN_TAG_OBJECTS,
            Capability.CAN_GET_THREAD_CPU_TIME,
            Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)) {
      hammer(number -> callAll(jvmti, number));
      assertThat(jvmti.isOpen()).isTrue();
    }
  }

  @Test
  void eightThreadsMayUseAnEnvironmentEach() throws Exception {
    hammer(
        number -> {
          try (Jvmti jvmti =
              Jvmti.open(
                  Capability.CAN_TAG_OBJECTS,
                  Capability.CAN_GET_THREAD_CPU_TIME,
                  Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)) {
            callAll(jvmti, number);
          }
        });
  }

  @Test
  void eightThreadsMayUseTheStaticDoor() throws Exception {
    hammer(
        number -> {
          Object object = new Object();
          JvmTools.setTag(object, 1_000 + number);
          assertThat(JvmTools.getTag(object)).isEqualTo(1_000 + number);
          assertThat(JvmTools.getObjectsWithTag(1_000 + number, Object.class)).contains(object);
          JvmTools.clearTag(object);
          assertThat(JvmTools.getThreadState(Thread.currentThread()).isRunnable()).isTrue();
          StackTrace own = JvmTools.getStackTrace(Thread.currentThread());
          assertThat(own.get(0).className()).isEqualTo(ConcurrencyTest.class.getName());
          assertThat(JvmTools.getAllStackTraces()).containsKey(Thread.currentThread());
          assertThat(JvmTools.getCurrentThreadCpuTimeNanos()).isPositive();
        });
  }

  private static void callAll(Jvmti jvmti, int number) {
    Object object = new Object();
    jvmti.objects().setTag(object, number + 1);
    assertThat(jvmti.objects().tag(object)).hasValue(number + 1);
    assertThat(jvmti.objects().withTag(number + 1, Object.class)).contains(object);
    jvmti.objects().clearTag(object);
    assertThat(jvmti.objects().size(object)).isPositive();
    assertThat(jvmti.objects().identityHash(object)).isEqualTo(System.identityHashCode(object));

    assertThat(jvmti.phase()).isEqualTo(Phase.LIVE);
    assertThat(jvmti.errorName(15)).isEqualTo("JVMTI_ERROR_THREAD_NOT_ALIVE");
    assertThat(jvmti.timers().time()).isPositive();
    assertThat(jvmti.timers().currentThreadCpuTime()).isPositive();
    assertThat(jvmti.timers().availableProcessors()).isPositive();

    Thread passing = new Thread(() -> {}, "passing");
    passing.start();
    List<Thread> all = new ArrayList<>(jvmti.threads().all());
    all.add(passing);
    assertThat(all).contains(Thread.currentThread());
    for (Thread thread : all) {
      assertThat(jvmti.threads().info(thread).name()).isNotNull();
      jvmti.threads().state(thread);
      try {
        StackTrace trace = jvmti.frames().stackTrace(thread);
        assertThat(trace.toString()).isNotNull();
        jvmti.frames().at(thread, Math.max(0, jvmti.frames().count(thread) - 1));
        jvmti.timers().threadCpuTime(thread);
      } catch (ThreadNotAliveException | FrameUnavailableException race) {
        assertThat(thread).isNotSameAs(Thread.currentThread());
      }
    }
    List<ThreadStack> stacks = jvmti.frames().stackTraces(all);
    assertThat(stacks).extracting(ThreadStack::thread).isEqualTo(all);
    assertThat(jvmti.frames().allStackTraces())
        .extracting(ThreadStack::thread)
        .contains(Thread.currentThread());
    assertThat(jvmti.capabilities().held()).hasSize(3);
  }

  private static void hammer(AtOnce.Body body) throws Exception {
    AtOnce.run(
        THREADS,
        number -> {
          for (int round = 0; round < ROUNDS; round++) {
            body.run(number);
          }
        });
  }
}
