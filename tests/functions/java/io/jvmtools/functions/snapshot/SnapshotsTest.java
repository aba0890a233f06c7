package io.jvmtools.functions.snapshot;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.snapshot.Snapshot;
import io.jvmtools.snapshot.SnapshotCounts;
import io.jvmtools.snapshot.SnapshotFrame;
import io.jvmtools.snapshot.SnapshotPlan;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.snapshot.SnapshotValue;
import io.jvmtools.snapshot.SnapshotVariable;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Eventually;
import io.jvmtools.thread.ThreadRole;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Snapshots are compared with what the program knows itself. */
@OnlyUnderTheAgent
class SnapshotsTest {

  private final List<Snapshot> taken = Collections.synchronizedList(new ArrayList<>());

  private static Jvmti open() {
    return Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_ACCESS_LOCAL_VARIABLES);
  }

  private static SnapshotPlan atTotal(Jvmti jvmti) {
    return jvmti.snapshots().at(SnapshotsTest.class.getName(), "total").perSecond(1_000_000);
  }

  private static int total(int price, int number) {
    return price * number;
  }

  private static String value(SnapshotFrame frame, String name) {
    return variable(frame.variables(), name).toString();
  }

  private static SnapshotValue variable(List<SnapshotVariable> all, String name) {
    return all.stream()
        .filter(one -> one.name().equals(name))
        .map(SnapshotVariable::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + all));
  }

  @Test
  void thoseAreTakenForWhichTheConditionHoldsUpToTheLimit() {
    try (Jvmti jvmti = open();
        SnapshotPoint point =
            atTotal(jvmti)
                .onlyIf(frame -> frame.local("price", int.class) > 100)
                .limit(3)
                .forEach(taken::add)) {
      for (int i = 0; i < 10; i++) {
        total(i, i);
        if (i < 5) {
          total(200 + i, i);
        }
      }
      point.flush();
      assertThat(taken).hasSize(3);
      for (int i = 0; i < 3; i++) {
        SnapshotFrame frame = taken.get(i).frames().get(0);
        assertThat(frame.element().getMethodName()).isEqualTo("total");
        assertThat(value(frame, "price")).isEqualTo(String.valueOf(200 + i));
        assertThat(value(frame, "number")).isEqualTo(String.valueOf(i));
        assertThat(taken.get(i).thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(taken.get(i).threadId()).isEqualTo(Thread.currentThread().getId());
        assertThat(taken.get(i).frames().get(1).variables()).isEmpty();
      }
      SnapshotCounts counts = point.counts();
      assertThat(counts.taken()).isEqualTo(3);
      assertThat(counts.unmatched()).isEqualTo(3);
      assertThat(counts.failed() + counts.lost()).isZero();
      assertThat(point.isUsedUp()).isTrue();
      assertThat(point)
          .hasToString(
              SnapshotsTest.class.getName()
                  + ".total: 3 taken, all that were asked for; 3 unmatched, "
                  + point.counts().limited()
                  + " limited, 0 failed, 0 lost");
      Eventually.isTrue("they are cleared", () -> jvmti.breakpoints().all().isEmpty());
      assertThat(point.breakpoints()).isEmpty();
    }
  }

  @Test
  void theBreakpointsAreClearedThoughTheConsumerStandsStill() {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Jvmti jvmti = open();
        SnapshotPoint point = atTotal(jvmti).limit(1_100).forEach(snapshot -> await(goOn))) {
      for (int i = 0; i < 1_100; i++) {
        total(i, i);
      }
      Eventually.isTrue("they are cleared", () -> jvmti.breakpoints().all().isEmpty());
      assertThat(point.isUsedUp()).isTrue();
      SnapshotCounts counts = point.counts();
      assertThat(counts.taken()).isEqualTo(1_100);
      assertThat(counts.lost()).isBetween(99L, 100L);
      goOn.countDown();
    }
  }

  /** Whoever comes too soon takes nothing of the limit, not for a moment either. */
  @Test
  void aLimitThatIsNotReachedEndsNothing() throws Exception {
    try (Jvmti jvmti = open();
        SnapshotPoint point = atTotal(jvmti).perSecond(1).limit(20).forEach(taken::add)) {
      AtOnce.run(
          8,
          number -> {
            for (int i = 0; i < 200; i++) {
              total(i, number);
            }
          });
      SnapshotCounts counts = point.counts();
      assertThat(counts.taken() + counts.limited()).isEqualTo(1_600);
      assertThat(point.isUsedUp()).isEqualTo(counts.taken() == 20);
      assertThat(point.breakpoints().isEmpty()).isEqualTo(point.isUsedUp());
    }
  }

  private static final class Chained extends RuntimeException {
    private static final long serialVersionUID = 1;

    Chained(int left) {
      super("left " + left);
      if (left > 0) {
        initCause(new Chained(left - 1));
      }
    }

    Chained(String text) {
      this(text.length());
    }
  }

  @Test
  void whoMakesAThrowableMayBeAConstructorOfAnother() {
    try (Jvmti jvmti = open();
        SnapshotPoint point =
            jvmti
                .snapshots()
                .onException(Chained.class)
                .frames(3)
                .keepFramesOf("io.jvmtools")
                .forEach(taken::add)) {
      Throwable made = new Chained("x");
      point.flush();
      assertThat(made.getCause()).hasMessage("left 0");
      assertThat(taken)
          .extracting(one -> one.exception().orElseThrow().text())
          .containsExactly(
              Chained.class.getName() + ": left 0", Chained.class.getName() + ": left 1");
      SnapshotFrame inner = taken.get(0).frames().get(0);
      assertThat(inner.element().getMethodName()).isEqualTo("<init>");
      assertThat(value(inner, "left")).isEqualTo("1");
      SnapshotFrame outer = taken.get(1).frames().get(0);
      assertThat(outer.element().getMethodName())
          .isEqualTo("whoMakesAThrowableMayBeAConstructorOfAnother");
      assertThat(taken).allMatch(one -> one.frames().size() == 3);
    }
  }

  /** Each constructor calls another one of the same class. */
  private static final class ManyConstructors extends RuntimeException {
    private static final long serialVersionUID = 1;

    ManyConstructors() {
      this(1);
    }

    ManyConstructors(int a) {
      this(a, 2);
    }

    ManyConstructors(int a, int b) {
      this(a, b, 3);
    }

    ManyConstructors(int a, int b, int c) {
      this(a, b, c, 4);
    }

    ManyConstructors(int a, int b, int c, int d) {
      this(a, b, c, d, 5);
    }

    ManyConstructors(int a, int b, int c, int d, int e) {
      this(a, b, c, d, e, 6);
    }

    ManyConstructors(int a, int b, int c, int d, int e, int f) {
      this(a, b, c, d, e, f, 7);
    }

    ManyConstructors(int a, int b, int c, int d, int e, int f, int g) {
      this(a, b, c, d, e, f, g, 8);
    }

    ManyConstructors(int a, int b, int c, int d, int e, int f, int g, int h) {
      this(a, b, c, d, e, f, g, h, 9);
    }

    ManyConstructors(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
      super("of " + (a + b + c + d + e + f + g + h + i));
    }
  }

  @Test
  void aThrowableOfManyConstructorsIsMadeByWhoCallsTheFirst() {
    try (Jvmti jvmti = open();
        SnapshotPoint point =
            jvmti.snapshots().onException(ManyConstructors.class).frames(1).forEach(taken::add)) {
      assertThat(new ManyConstructors()).hasMessage("of 45");
      point.flush();
      assertThat(taken).hasSize(1);
      assertThat(taken.get(0).frames())
          .extracting(frame -> frame.element().getMethodName())
          .containsExactly("aThrowableOfManyConstructorsIsMadeByWhoCallsTheFirst");
    }
  }

  @Test
  void noMoreAreTakenInASecondThanWasAsked() {
    try (Jvmti jvmti = open();
        SnapshotPoint point = atTotal(jvmti).perSecond(5).limit(1_000).forEach(taken::add)) {
      long began = System.nanoTime();
      for (int i = 0; i < 1_000; i++) {
        total(i, i);
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + 2;
      SnapshotCounts counts = point.counts();
      assertThat(counts.taken()).isBetween(5L, 5 * seconds);
      assertThat(counts.taken() + counts.limited()).isEqualTo(1_000);
    }
  }

  private static final class NoStock extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final int missing;

    NoStock(int missing) {
      super("no stock");
      this.missing = missing;
    }
  }

  private record Item(int sku, String name) {}

  private static void reserve(Item item, int retries) {
    long total = item.sku() + 100L;
    if (total > 0) {
      throw new NoStock(retries);
    }
  }

  @Test
  void whoMakesAThrowableIsSeenWithItsVariables() throws Exception {
    try (Jvmti jvmti = open();
        SnapshotPoint point =
            jvmti
                .snapshots()
                .onException(IllegalStateException.class)
                .onlyIf(frame -> frame.local("this", Throwable.class) instanceof NoStock)
                .keepFramesOf("io.jvmtools.functions")
                .forEach(taken::add)) {
      new IllegalStateException("another").getMessage();
      int line = 0;
      try {
        reserve(new Item(17, "a \"bolt\""), 3);
      } catch (NoStock thrown) {
        assertThat(thrown.missing).isEqualTo(3);
        line = thrown.getStackTrace()[0].getLineNumber();
      }
      point.flush();
      assertThat(taken).hasSize(1);
      Snapshot snapshot = taken.get(0);
      SnapshotFrame frame = snapshot.frames().get(0);
      assertThat(frame.element().getLineNumber()).isEqualTo(line);
      assertThat(frame.variables())
          .extracting(SnapshotVariable::toString)
          .containsExactly(
              "item = SnapshotsTest$Item[sku = 17, name = \"a \\\"bolt\\\"\"]",
              "retries = 3",
              "total = 117");
      assertThat(snapshot.exception().orElseThrow().text())
          .isEqualTo(NoStock.class.getName() + ": no stock");
      assertThat(variable(snapshot.frames().get(1).variables(), "jvmti").type())
          .isEqualTo(Jvmti.class.getName());
      assertThat(snapshot.toString())
          .startsWith(NoStock.class.getName() + ": no stock in \"")
          .contains("\n  at " + frame.element() + "   item = SnapshotsTest$Item[sku = 17, ");
      JsonNode json = new ObjectMapper().readTree(snapshot.toJson());
      assertThat(json.at("/frames/0/line").asInt()).isEqualTo(line);
      assertThat(json.at("/frames/0/variables/0/value/parts/1/value/text").asText())
          .isEqualTo("\"a \\\"bolt\\\"\"");
      assertThat(json.at("/exception/text").asText()).endsWith(": no stock");
      assertThat(json.at("/omitted").asInt()).isEqualTo(snapshot.omitted());
      assertThat(point.counts()).isEqualTo(new SnapshotCounts(1, 1, 0, 0, 0));
    }
  }

  /** Of which no method is called. */
  private static final class Hostile {

    private final Object[] array = {1, "two", null, 'c', 2.5};
    private final List<Object> list = new ArrayList<>(List.of(true, Thread.State.NEW));
    private final Map<String, Integer> map = new LinkedHashMap<>(Map.of("one", 1));
    private final int[] numbers = new int[100];
    private final Class<?> type = int[].class;
    private final BigDecimal price = new BigDecimal("129.99");
    private final Hostile self = this;
    private final String text = "x".repeat(300);
    private final Throwable thrown = new NoStock(4);

    @Override
    public boolean equals(Object other) {
      throw new AssertionError("called");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("called");
    }

    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }

  private static int look(Hostile hostile, long large, boolean truth) {
    return hostile.numbers.length + (int) large + (truth ? 1 : 0);
  }

  @Test
  void valuesAreReadWithoutAskingTheProgramAndCutWhereWasAsked() {
    try (Jvmti jvmti = open()) {
      SnapshotPlan plan = jvmti.snapshots().at(SnapshotsTest.class.getName(), "look");
      List<Snapshot> cutEarly = Collections.synchronizedList(new ArrayList<>());
      List<Snapshot> cutOften = Collections.synchronizedList(new ArrayList<>());
      try (SnapshotPoint one = plan.objectDepth(2).forEach(taken::add);
          SnapshotPoint shallow = plan.objectDepth(0).characters(10).forEach(cutEarly::add);
          SnapshotPoint few = plan.objectDepth(5).values(4).characters(10).forEach(cutOften::add)) {
        assertThat(look(new Hostile(), 1L << 40, true)).isEqualTo(101);
        for (SnapshotPoint point : List.of(one, shallow, few)) {
          point.flush();
          assertThat(point.counts()).isEqualTo(new SnapshotCounts(1, 0, 0, 0, 0));
        }
      }
      assertThat(taken).hasSize(1);
      List<SnapshotVariable> all = taken.get(0).frames().get(0).variables();
      assertThat(variable(all, "large").toString()).isEqualTo(String.valueOf(1L << 40));
      assertThat(variable(all, "truth").toString()).isEqualTo("true");
      SnapshotValue hostile = variable(all, "hostile");
      assertThat(hostile.type()).isEqualTo(Hostile.class.getName());
      List<SnapshotVariable> parts = hostile.parts();
      assertThat(variable(parts, "array").toString())
          .isEqualTo("Object[5][1, \"two\", null, 'c', 2.5]");
      assertThat(variable(parts, "list").toString()).isEqualTo("ArrayList(2)[true, NEW]");
      assertThat(variable(parts, "map").toString()).isEqualTo("LinkedHashMap(1)[one = 1]");
      assertThat(variable(parts, "numbers").omitted()).isEqualTo(80);
      assertThat(variable(parts, "numbers").parts()).hasSize(20);
      assertThat(variable(parts, "type").toString()).isEqualTo("int[]");
      assertThat(variable(parts, "price").toString()).isEqualTo("129.99");
      assertThat(variable(parts, "text").omitted()).isEqualTo(100);
      assertThat(variable(parts, "thrown").toString())
          .isEqualTo(NoStock.class.getName() + ": no stock[missing = 4]");
      SnapshotValue self = variable(parts, "self");
      assertThat(variable(self.parts(), "self").parts()).isEmpty();
      assertThat(variable(self.parts(), "self").omitted()).isEqualTo(9);

      SnapshotValue outside = variable(cutEarly.get(0).frames().get(0).variables(), "hostile");
      assertThat(outside.parts()).isEmpty();
      assertThat(outside.omitted()).isEqualTo(9);
      assertThat(outside.toString()).matches(".*Hostile@[0-9a-f]+");
      assertThat(variable(cutOften.get(0).frames().get(0).variables(), "hostile").toString())
          .hasSizeLessThan(200);
    }
  }

  @Test
  void theThreadWaitsForNobodyWhoGetsThem() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> threads = Collections.synchronizedList(new ArrayList<>());
    Set<ThreadRole> roles = Collections.synchronizedSet(EnumSet.noneOf(ThreadRole.class));
    try (Jvmti jvmti = open();
        SnapshotPoint point =
            atTotal(jvmti)
                .forEach(
                    snapshot -> {
                      threads.add(Thread.currentThread().getName());
                      roles.add(jvmti.threads().role(Thread.currentThread()));
                      await(goOn);
                      // It is this one who comes by.
                      total(1, 1);
                    })) {
      for (int i = 0; i < 10; i++) {
        total(i, i);
      }
      assertThat(point.counts().taken()).isEqualTo(10);
      goOn.countDown();
      point.flush();
      assertThat(threads).hasSize(10).containsOnly("jvmtools-snapshots");
      assertThat(roles).containsExactly(ThreadRole.JVMTOOLS);
      assertThat(point.counts()).isEqualTo(new SnapshotCounts(10, 0, 0, 0, 0));
    }
  }

  /** One that is still on its way to the consumer counts. */
  @Test
  void whoSeesThatAllAreTakenAndWaitsHasThem() throws Exception {
    for (int i = 0; i < 50; i++) {
      List<Snapshot> own = Collections.synchronizedList(new ArrayList<>());
      AtomicBoolean over = new AtomicBoolean();
      try (Jvmti jvmti = open();
          SnapshotPoint point = atTotal(jvmti).limit(1).forEach(own::add)) {
        Thread comes =
            new Thread(
                () -> {
                  while (!over.get()) {
                    total(1, 2);
                  }
                });
        comes.start();
        while (!point.isUsedUp()) {
          Thread.onSpinWait();
        }
        point.flush();
        int handedOver = own.size();
        over.set(true);
        comes.join();
        assertThat(handedOver).isEqualTo(1);
      }
    }
  }

  /** Before JDK 19 a group counts its threads, under its monitor. */
  @Test
  void whoComesByWaitsForNobodyWhoHasHisThreadGroup() throws InterruptedException {
    ThreadGroup group = new ThreadGroup("kept");
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch hasCome = new CountDownLatch(1);
    try (Jvmti jvmti = open();
        SnapshotPoint point = atTotal(jvmti).forEach(taken::add)) {
      Thread comes =
          new Thread(
              group,
              () -> {
                await(goOn);
                total(1, 2);
                hasCome.countDown();
              });
      comes.start();
      synchronized (group) {
        goOn.countDown();
        assertThat(hasCome.await(60, TimeUnit.SECONDS)).isTrue();
        point.flush();
      }
      assertThat(taken).hasSize(1);
      comes.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsThrownThereIsNotTheApplications() {
    List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open();
        SnapshotPoint wrong =
            atTotal(jvmti)
                .onlyIf(frame -> frame.local("prize", int.class) > 0)
                .onError(errors::add)
                .forEach(taken::add);
        SnapshotPoint failing =
            atTotal(jvmti)
                .onError(errors::add)
                .forEach(
                    snapshot -> {
                      throw new IllegalStateException("of who gets it");
                    })) {
      assertThat(total(2, 3)).isEqualTo(6);
      wrong.flush();
      failing.flush();
      assertThat(errors)
          .extracting(Throwable::getMessage)
          .anyMatch(message -> message.contains("prize, of [price, number]"))
          .contains("of who gets it")
          .hasSize(2);
      assertThat(wrong.counts()).isEqualTo(new SnapshotCounts(0, 0, 0, 1, 0));
      assertThat(failing.counts()).isEqualTo(new SnapshotCounts(1, 0, 0, 1, 0));
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    try (Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES)) {
      SnapshotPlan plan = atTotal(jvmti);
      assertThatThrownBy(() -> plan.forEach(taken::add))
          .isInstanceOf(MissingCapabilityException.class);
      assertThatIllegalArgumentException().isThrownBy(() -> plan.limit(0));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.perSecond(0));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.frames(0));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.objectDepth(-1));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.values(-1));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.characters(-1));
      assertThatIllegalArgumentException().isThrownBy(() -> plan.keepFramesOf("com.acme.*"));
      assertThatIllegalArgumentException().isThrownBy(() -> CodePlace.creationIn("com.acme."));
      assertThatIllegalArgumentException().isThrownBy(() -> CodePlace.line("com.acme.Cart", 0));
    }
    try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS)) {
      assertThatThrownBy(() -> atTotal(jvmti).forEach(taken::add))
          .isInstanceOf(MissingCapabilityException.class);
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }
}
