package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.SuspendedAction;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done while threads are suspended, and that they always run again. */
class WithSuspendedTest {

  /** Far longer than any action here takes. */
  private static final Duration LONG = Duration.ofMinutes(5);

  /** For actions that cannot end before it has passed. */
  private static final Duration SHORT = Duration.ofMillis(200);

  @Test
  void theThreadStandsWhileTheActionRunsAndNotAfterwards() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      boolean stood = jvmti.threads().withSuspended(worker.thread(), LONG, worker::stands);
      assertThat(stood).isTrue();
      worker.runs();
      assertThat(JvmTools.getThreadState(worker.thread()).isSuspended()).isFalse();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadStandsToo() {
    try (Counting worker = Counting.virtual();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      boolean stood = jvmti.threads().withSuspended(worker.thread(), LONG, worker::stands);
      assertThat(stood).isTrue();
      worker.runs();
    }
  }

  @Test
  void theStackOfASuspendedThreadStaysTheSame() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<StackTrace> traces =
          jvmti
              .threads()
              .withSuspended(
                  worker.thread(),
                  LONG,
                  () -> {
                    StackTrace first = jvmti.frames().stackTrace(worker.thread());
                    return List.of(first, jvmti.frames().stackTrace(worker.thread()));
                  });
      assertThat(traces.get(0)).isNotEmpty().isEqualTo(traces.get(1));
    }
  }

  @Test
  void whatTheActionAnswersAndThrowsPasses() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      Thread thread = worker.thread();
      String result = new String("a result");
      assertThat(jvmti.threads().withSuspended(thread, LONG, () -> result)).isSameAs(result);
      assertThat(jvmti.threads().<Object>withSuspended(thread, LONG, () -> null)).isNull();
      for (Throwable thrown :
          List.of(new IOException(), new IllegalStateException(), new AssertionError())) {
        SuspendedAction<String> action = () -> sneak(thrown);
        Stream.<ThrowingCallable>of(
                () -> jvmti.threads().withSuspended(thread, LONG, action),
                () -> jvmti.threads().withSuspended(List.of(thread), LONG, action),
                () -> jvmti.threads().withOthersSuspended(LONG, action))
            .forEach(call -> assertThat(catchThrowable(call)).isSameAs(thrown));
        assertThat(thrown.getSuppressed()).isEmpty();
        worker.runs();
      }
    }
  }

  @Test
  void afterTheDeadlineTheThreadRunsAndTheResultIsDiscarded() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      Thread thread = worker.thread();
      SuspensionExpiredException expired =
          expires(
              () ->
                  jvmti
                      .threads()
                      .withSuspended(
                          thread,
                          SHORT,
                          () -> {
                            worker.runs();
                            return "late";
                          }));
      assertThat(expired.threads()).containsExactly(thread);
      assertThat(expired)
          .hasMessage(
              "the deadline passed before the action had ended, which needs more time or waits for"
                  + " one of these threads; they run again: \"counting\"")
          .hasNoSuppressedExceptions();
      worker.runs();
      assertThat(jvmti.threads().withSuspended(thread, LONG, worker::stands)).isTrue();
    }
  }

  @Test
  void anActionThatFailsAfterTheDeadlineIsSuppressed() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      for (Throwable thrown : List.of(new IOException(), new AssertionError())) {
        SuspensionExpiredException expired =
            expires(
                () ->
                    jvmti
                        .threads()
                        .withSuspended(
                            worker.thread(),
                            SHORT,
                            () -> {
                              worker.runs();
                              return sneak(thrown);
                            }));
        assertThat(expired).hasSuppressedException(thrown);
      }
    }
  }

  @Test
  void manyThreadsStandTogether() {
    try (Counting first = Counting.platform();
        Counting second = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<Thread> threads = List.of(first.thread(), Parked.ended(), second.thread());
      SuspendedAction<Boolean> bothStand = () -> first.stands() && second.stands();
      assertThat(jvmti.threads().withSuspended(threads, LONG, bothStand)).isTrue();
      first.runs();
      second.runs();
      SuspensionExpiredException expired =
          expires(
              () ->
                  jvmti
                      .threads()
                      .withSuspended(
                          threads,
                          SHORT,
                          () -> {
                            first.runs();
                            second.runs();
                            return "late";
                          }));
      assertThat(expired.threads()).containsExactly(first.thread(), second.thread());
      assertThat(expired).hasMessageEndingWith(": \"counting\", \"counting\"");
    }
  }

  @Test
  void aThreadThatWasSuspendedBeforeStaysSo() {
    try (Counting first = Counting.platform();
        Counting second = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      jvmti.threads().suspend(first.thread());
      List<Thread> both = List.of(first.thread(), second.thread());
      assertThat(jvmti.threads().withSuspended(both, LONG, second::stands)).isTrue();
      second.runs();
      assertThat(first.stands()).isTrue();
      SuspensionExpiredException expired =
          expires(
              () ->
                  jvmti
                      .threads()
                      .withSuspended(
                          both,
                          SHORT,
                          () -> {
                            second.runs();
                            return "late";
                          }));
      assertThat(expired.threads()).containsExactly(second.thread());
      assertThat(first.stands()).isTrue();
      assertThat(jvmti.threads().withOthersSuspended(LONG, second::stands)).isTrue();
      assertThat(first.stands()).isTrue();
      jvmti.threads().resume(first.thread());
      first.runs();
    }
  }

  @Test
  void oneThreadThatCannotBeSuspendedIsRefused() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      SuspendedAction<String> never = WithSuspendedTest::never;
      for (Thread thread : List.of(Parked.unstarted(), Parked.ended())) {
        assertThatExceptionOfType(ThreadNotAliveException.class)
            .isThrownBy(() -> jvmti.threads().withSuspended(thread, LONG, never));
      }
      jvmti.threads().suspend(worker.thread());
      assertThatExceptionOfType(ThreadSuspendedException.class)
          .isThrownBy(() -> jvmti.threads().withSuspended(worker.thread(), LONG, never));
      assertThat(worker.stands()).isTrue();
      jvmti.threads().resume(worker.thread());

      List<Thread> threads = List.of(worker.thread(), Parked.unstarted());
      assertThatExceptionOfType(ThreadNotAliveException.class)
          .isThrownBy(() -> jvmti.threads().withSuspended(threads, LONG, never));
      worker.runs();
    }
  }

  @Test
  void aListOfAllThreadsMayHaveOursInIt() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<Thread> all =
          new ArrayList<>(List.of(SuspensionNatives.ownThreads(GeneralNatives.metadata())));
      all.add(worker.thread());
      assertThat(jvmti.threads().<Boolean>withSuspended(all, LONG, worker::stands)).isTrue();
      worker.runs();
      all.remove(worker.thread());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.threads().withSuspended(all, LONG, () -> null))
          .withMessage("threads must have others than the library's own, which are left out");
    }
  }

  @Test
  void allOthersStand() {
    try (Counting first = Counting.platform();
        Counting second = Counting.platform();
        Parked parked = Parked.inPark();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      SuspendedAction<Boolean> allStand =
          () ->
              first.stands()
                  && second.stands()
                  && jvmti.threads().state(parked.thread()).isSuspended()
                  && !jvmti.threads().state(Thread.currentThread()).isSuspended();
      assertThat(jvmti.threads().withOthersSuspended(LONG, allStand)).isTrue();
      first.runs();
      second.runs();
      SuspensionExpiredException expired =
          expires(
              () ->
                  jvmti
                      .threads()
                      .withOthersSuspended(
                          SHORT,
                          () -> {
                            first.runs();
                            return "late";
                          }));
      assertThat(expired.threads())
          .contains(first.thread(), second.thread(), parked.thread())
          .doesNotContain(Thread.currentThread())
          .doesNotContain(SuspensionNatives.ownThreads(GeneralNatives.metadata()));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void allOthersAreAlsoTheVirtualOnesWithTheirCapability() {
    try (Counting worker = Counting.virtual();
        Counting platform = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS)) {
      SuspendedAction<Boolean> bothStand =
          () ->
              worker.stands()
                  && platform.stands()
                  && jvmti.threads().state(worker.thread()).isSuspended();
      assertThat(jvmti.threads().withOthersSuspended(LONG, bothStand)).isTrue();
      worker.runs();
      platform.runs();
    }
  }

  @Test
  void anActionThatNeedsALockOfTheThreadComesBackAfterTheDeadline() {
    Object lock = new Object();
    try (Holder holder = new Holder(body -> holding(lock, body));
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      holder.assertExpires(
          jvmti,
          () -> {
            synchronized (lock) {
              return "late";
            }
          });
    }
  }

  @Test
  void anActionThatPrintsComesBackAfterTheDeadline() {
    PrintStream out = System.out;
    Holder[] inside = new Holder[1];
    OutputStream holding =
        new OutputStream() {
          @Override
          public void write(int one) {
            inside[0].inside();
          }
        };
    System.setOut(new PrintStream(holding, true, StandardCharsets.UTF_8));
    try (Holder holder =
            new Holder(
                body -> {
                  inside[0] = body;
                  System.out.println("a line");
                });
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      holder.assertExpires(
          jvmti,
          () -> {
            System.out.println("another");
            return "late";
          });
    } finally {
      System.setOut(out);
    }
  }

  @Test
  void anActionThatInitialisesAClassComesBackAfterTheDeadline() {
    try (Holder holder =
            new Holder(
                body -> {
                  Slow.holder = body;
                  assertThat(Initialised.ready).isTrue();
                });
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      holder.assertExpires(jvmti, () -> Initialised.ready ? "late" : "early");
    }
  }

  @Test
  void closingTheEnvironmentInTheActionResumes() {
    try (Counting worker = Counting.platform()) {
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      IOException thrown = new IOException();
      SuspendedAction<String> closing =
          () -> {
            jvmti.close();
            worker.runs();
            return sneak(thrown);
          };
      IllegalStateException closed =
          catchThrowableOfType(
              IllegalStateException.class,
              () -> jvmti.threads().withSuspended(worker.thread(), LONG, closing));
      assertThat(closed)
          .hasMessage("this environment is closed; open another one")
          .hasSuppressedException(thrown);
      worker.runs();
    }
  }

  @Test
  void suspensionsCanBeNested() {
    try (Counting first = Counting.platform();
        Counting second = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      SuspendedAction<Boolean> inner =
          () ->
              jvmti
                  .threads()
                  .withSuspended(second.thread(), LONG, () -> first.stands() && second.stands());
      SuspendedAction<Boolean> outer = () -> inner.run() && first.stands();
      assertThat(jvmti.threads().withSuspended(first.thread(), LONG, outer)).isTrue();
      first.runs();
      second.runs();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aDeadlineMustBePositive(long seconds) {
    Duration deadline = Duration.ofSeconds(seconds);
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<Thread> list = List.of(worker.thread());
      Stream.<ThrowingCallable>of(
              () ->
                  jvmti
                      .threads()
                      .withSuspended(worker.thread(), deadline, WithSuspendedTest::never),
              () -> jvmti.threads().withSuspended(list, deadline, WithSuspendedTest::never),
              () -> jvmti.threads().withOthersSuspended(deadline, WithSuspendedTest::never))
          .forEach(
              call ->
                  assertThatIllegalArgumentException()
                      .isThrownBy(call)
                      .withMessage("deadline must be positive: " + deadline));
      worker.runs();
    }
  }

  @Test
  void aDeadlineMayBeAsFarAsItLikes() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      for (Duration deadline :
          List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE))) {
        boolean stood = jvmti.threads().withSuspended(worker.thread(), deadline, worker::stands);
        assertThat(stood).isTrue();
        worker.runs();
      }
    }
  }

  @Test
  void theCallingThreadOurOwnAndNobodyAreRefused() {
    Thread self = Thread.currentThread();
    Thread[] ours = SuspensionNatives.ownThreads(GeneralNatives.metadata());
    SuspendedAction<String> never = WithSuspendedTest::never;
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      for (Thread refused : List.of(self, ours[0], ours[1])) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> jvmti.threads().withSuspended(refused, LONG, never))
            .withMessageContaining(refused == self ? "calling thread" : refused.getName());
      }
      List<Thread> list = List.of(worker.thread(), self);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.threads().withSuspended(list, LONG, never))
          .withMessageContaining("calling thread");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.threads().withSuspended(List.of(), LONG, never))
          .withMessage("threads must not be empty");
      List<Thread> withNull = Arrays.asList(worker.thread(), null);
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.threads().withSuspended(withNull, LONG, never))
          .withMessage("threads[1]");
      worker.runs();
    }
  }

  @Test
  void theCapabilityIsNeeded() {
    SuspendedAction<String> never = WithSuspendedTest::never;
    try (Counting worker = Counting.platform();
        Jvmti bare = Jvmti.open()) {
      List<Thread> list = List.of(worker.thread());
      Stream.<ThrowingCallable>of(
              () -> bare.threads().withSuspended(worker.thread(), LONG, never),
              () -> bare.threads().withSuspended(list, LONG, never),
              () -> bare.threads().withOthersSuspended(LONG, never))
          .forEach(
              call ->
                  assertThatExceptionOfType(MissingCapabilityException.class)
                      .isThrownBy(call)
                      .satisfies(e -> assertThat(e.capability()).isEqualTo(CAN_SUSPEND)));
      worker.runs();
    }
  }

  @Test
  void aLongMessageNamesOnlySome() {
    List<Thread> threads = Stream.generate(() -> new Thread("one of many")).limit(1000).toList();
    SuspensionExpiredException expired = new SuspensionExpiredException(threads);
    assertThat(expired.threads()).isEqualTo(threads);
    assertThat(expired.getMessage())
        .containsPattern("(\"one of many\", ){19}\"one of many\" and 980 more$");
  }

  private static SuspensionExpiredException expires(ThrowingCallable call) {
    return catchThrowableOfType(SuspensionExpiredException.class, call);
  }

  private static String never() {
    throw new AssertionError("the action must not run");
  }

  @SuppressWarnings("unchecked")
  private static <T, E extends Throwable> T sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private static void holding(Object lock, Holder holder) {
    synchronized (lock) {
      holder.inside();
    }
  }

  /** A thread that has taken something, and keeps it until it is told and can hear it. */
  private static final class Holder implements AutoCloseable {

    private final CountDownLatch inside = new CountDownLatch(1);
    private final Parked thread;
    private volatile boolean release;

    Holder(java.util.function.Consumer<Holder> body) {
      thread = Parked.in(() -> body.accept(this), inside, () -> release = true);
    }

    /** Called with the lock held. */
    void inside() {
      inside.countDown();
      while (!release) {
        Thread.onSpinWait();
      }
    }

    void assertExpires(Jvmti jvmti, SuspendedAction<String> needsTheLock) {
      SuspendedAction<String> action =
          () -> {
            release = true;
            return needsTheLock.run();
          };
      SuspensionExpiredException expired =
          expires(() -> jvmti.threads().withSuspended(thread.thread(), SHORT, action));
      assertThat(expired.threads()).containsExactly(thread.thread());
    }

    @Override
    public void close() {
      thread.close();
    }
  }

  /** Whose thread is in the initialiser of {@link Initialised}. */
  private static final class Slow {
    private static volatile Holder holder;
  }

  /** A class whose initialiser takes as long as its holder wants. */
  private static final class Initialised {
    static final boolean ready;

    static {
      Slow.holder.inside();
      ready = true;
    }
  }
}
