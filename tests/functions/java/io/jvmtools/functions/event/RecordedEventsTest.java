package io.jvmtools.functions.event;

import static io.jvmtools.event.EventTypes.CLASS_UNLOAD;
import static io.jvmtools.event.EventTypes.COMPILED_METHOD_LOAD;
import static io.jvmtools.event.EventTypes.COMPILED_METHOD_UNLOAD;
import static io.jvmtools.event.EventTypes.DATA_DUMP_REQUEST;
import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.GARBAGE_COLLECTION_FINISH;
import static io.jvmtools.event.EventTypes.GARBAGE_COLLECTION_START;
import static io.jvmtools.event.EventTypes.OBJECT_FREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.CompiledMethodLoadEvent;
import io.jvmtools.event.DynamicCodeGeneratedEvent;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.GarbageCollectionFinishEvent;
import io.jvmtools.event.GarbageCollectionStartEvent;
import io.jvmtools.event.InlinedCode;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.LibraryCopy;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Events in the middle of which no Java can run, and which are told later. */
class RecordedEventsTest {

  /** What the JDK counts as well. */
  @Test
  void everyCollectionIsToldWithItsTime() {
    ChildJvm.of(Collections.class).jvmArgs("-XX:+UseSerialGC").run().succeeds();
  }

  static final class Collections {

    private static final int TIMES = 7;

    public static void main(String[] args) {
      List<GarbageCollectionStartEvent> starts = new CopyOnWriteArrayList<>();
      List<GarbageCollectionFinishEvent> ends = new CopyOnWriteArrayList<>();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS);
          Subscription end = jvmti.events().on(GARBAGE_COLLECTION_FINISH, ends::add)) {
        Subscription start = jvmti.events().on(GARBAGE_COLLECTION_START, starts::add);
        collections();
        System.gc();
        jvmti.events().flush();
        // All that is needed is loaded by now. While a class is, an array may be pinned; before 22
        // a collection is told of then though it is put off.
        starts.clear();
        ends.clear();
        long before = collections();
        Instant began = Instant.now();
        for (int i = 0; i < TIMES; i++) {
          System.gc();
        }
        long collected = collections() - before;
        jvmti.events().flush();
        Duration all = Duration.between(began, Instant.now());
        assertThat(starts).hasSize(Math.toIntExact(collected)).hasSizeGreaterThanOrEqualTo(TIMES);
        assertThat(ends).hasSameSizeAs(starts);
        Duration sum = Duration.ZERO;
        for (int i = 0; i < ends.size(); i++) {
          Duration took = ends.get(i).duration();
          assertThat(took).isPositive();
          assertThat(ends.get(i).time()).isAfterOrEqualTo(starts.get(i).time());
          sum = sum.plus(took);
        }
        assertThat(sum).isLessThan(all);
        start.close();
        System.gc();
        jvmti.events().flush();
        assertThat(starts).as("nobody listens").hasSize(Math.toIntExact(collected));
        assertThat(ends).as("one still does").hasSizeGreaterThan(starts.size());
        assertThat(end.counts().lost()).isZero();
      }
    }

    private static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }

  /** A thread that waits in Java for what is recorded would keep them. */
  @Test
  void whoListensIsForgottenWithItsClassLoader() {
    ChildJvm.of(Forgotten.class).run().succeeds();
  }

  static final class Forgotten {
    public static void main(String[] args) {
      WeakReference<?>[] copies = new WeakReference<?>[3];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = listening();
      }
      GcUntil.cleared(copies);
    }

    private static WeakReference<?> listening() {
      LibraryCopy copy = new LibraryCopy();
      assertThat(copy.call(Listens.class)).isPositive();
      return new WeakReference<>(copy);
    }
  }

  /** As an application does that is thrown away as it is. */
  static final class Listens implements Callable<Integer> {

    static final AtomicInteger TOLD = new AtomicInteger();
    static final Jvmti KEPT = Jvmti.open(Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS);

    @Override
    public Integer call() {
      KEPT.events().on(GARBAGE_COLLECTION_FINISH, end -> TOLD.incrementAndGet());
      System.gc();
      KEPT.events().flush();
      return TOLD.get();
    }
  }

  /** Whose code is where, for those only who are told when it is there no more. */
  @Test
  void whatIsCompiledIsKeptForNobodyElse() throws ReflectiveOperationException {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS);
        Subscription loads = jvmti.events().on(COMPILED_METHOD_LOAD, load -> {})) {
      Field field = Subscription.class.getDeclaredField("delivery");
      field.setAccessible(true);
      Object delivery = field.get(loads);
      Field compiled = delivery.getClass().getDeclaredField("compiled");
      compiled.setAccessible(true);
      tellAgain(jvmti);
      assertThat(loads.counts().delivered()).isPositive();
      assertThat(compiled.get(delivery)).isNull();
      try (Subscription unloads = jvmti.events().on(COMPILED_METHOD_UNLOAD, unload -> {})) {
        tellAgain(jvmti);
        assertThat((Map<?, ?>) compiled.get(delivery)).isNotEmpty();
        assertThat(unloads.counts().failed()).isZero();
      }
      assertThat(compiled.get(delivery)).isNull();
    }
  }

  private static void tellAgain(Jvmti jvmti) {
    jvmti.events().generate(COMPILED_METHOD_LOAD);
    jvmti.events().flush();
  }

  @Test
  void theTagsOfWhatIsCollectedAreTold() {
    Set<Long> told = java.util.Collections.synchronizedSet(new TreeSet<>());
    try (Jvmti jvmti =
            Jvmti.open(Capability.CAN_TAG_OBJECTS, Capability.CAN_GENERATE_OBJECT_FREE_EVENTS);
        Subscription one = jvmti.events().on(OBJECT_FREE, event -> told.add(event.tag()))) {
      Object kept = new Object();
      jvmti.objects().setTag(kept, 1_000);
      for (long tag = 1; tag <= 20; tag++) {
        jvmti.objects().setTag(new Object(), tag);
      }
      Set<Long> all = LongStream.rangeClosed(1, 20).boxed().collect(Collectors.toSet());
      Eventually.isTrue(
          "all are told",
          () -> {
            System.gc();
            jvmti.events().flush();
            return told.containsAll(all);
          });
      assertThat(told).isEqualTo(all);
      assertThat(jvmti.objects().tag(kept)).hasValue(1_000);
      assertThat(one.counts().failed()).isZero();
    }
  }

  private static volatile Object made;

  private static int hot(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += mixes(i, n);
    }
    return sum;
  }

  /** Makes something, so that the JVM may have to know where it is. */
  private static int mixes(int i, int n) {
    made = new Object();
    return i ^ n;
  }

  /** As {@code jcmd PID Compiler.codelist} lists them. */
  @Test
  void whatIsCompiledIsToldAgain() throws Exception {
    JvmMethod method = JvmMethod.of(RecordedEventsTest.class.getDeclaredMethod("hot", int.class));
    JvmMethod mixes =
        JvmMethod.of(RecordedEventsTest.class.getDeclaredMethod("mixes", int.class, int.class));
    untilCompiled(method);
    List<CompiledMethodLoadEvent> told = new CopyOnWriteArrayList<>();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS);
        Subscription one = jvmti.events().on(COMPILED_METHOD_LOAD, told::add)) {
      List<String> listed = new ArrayList<>();
      Eventually.isTrue(
          "it is not compiled anew meanwhile",
          () -> {
            told.clear();
            listed.clear();
            listed.addAll(code(method));
            jvmti.events().generate(COMPILED_METHOD_LOAD);
            jvmti.events().flush();
            return listed.equals(code(method));
          });
      List<CompiledMethodLoadEvent> all =
          told.stream().filter(event -> event.method().equals(method)).toList();
      assertThat(all).isNotEmpty();
      CompiledMethodLoadEvent ours = all.get(all.size() - 1);
      assertThat(listed).anyMatch(line -> line.contains(padded(ours)));
      assertThat(ours.size()).isPositive();
      assertThat(ours.map())
          .isNotEmpty()
          .allSatisfy(
              place ->
                  assertThat(place.address().value())
                      .isBetween(ours.address().value(), ours.address().value() + ours.size()));
      assertThat(ours.inlined())
          .isNotEmpty()
          .allSatisfy(
              place -> {
                List<InlinedCode.Frame> frames = place.frames();
                assertThat(frames.get(frames.size() - 1).method()).contains(method);
              })
          .anySatisfy(place -> assertThat(place.frames().get(0).method()).contains(mixes));
      assertThat(one.counts().lost()).isZero();
    }
  }

  private static String padded(CompiledMethodLoadEvent event) {
    return String.format("0x%016x", event.address().value());
  }

  private static void untilCompiled(JvmMethod method) {
    Eventually.isTrue(
        "it is compiled",
        () -> {
          for (int i = 0; i < 1_000; i++) {
            hot(1_000);
          }
          return !code(method).isEmpty();
        });
  }

  /** The lines that list it. */
  private static List<String> code(JvmMethod method) {
    String name = method.className() + "." + method.name() + method.signature();
    return code().stream().filter(line -> line.contains(name)).toList();
  }

  private static List<String> code() {
    try {
      String text =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "compilerCodelist",
                      new Object[0],
                      new String[0]);
      return text.lines().toList();
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void codeThatIsThrownAwayIsTold() {
    ChildJvm.of(ThrownAway.class).run().succeeds();
  }

  static final class ThrownAway {
    public static void main(String[] args) throws InterruptedException {
      Set<NativeAddress> made = ConcurrentHashMap.newKeySet();
      Set<NativeAddress> gone = ConcurrentHashMap.newKeySet();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS);
          Subscription load =
              jvmti
                  .events()
                  .on(
                      COMPILED_METHOD_LOAD,
                      event -> {
                        if (event.method().className().equals(Relay.class.getName())) {
                          made.add(event.address());
                        }
                      });
          Subscription unload =
              jvmti.events().on(COMPILED_METHOD_UNLOAD, event -> gone.add(event.address()))) {
        // On a thread of its own, so that no frame of this one keeps the loader.
        Thread runs = new Thread(() -> runsUntilCompiled(made));
        runs.start();
        runs.join();
        Eventually.isTrue(
            "all is thrown away",
            () -> {
              System.gc();
              return gone.containsAll(made);
            });
        assertThat(made).isNotEmpty();
        assertThat(load.counts().failed() + unload.counts().failed()).isZero();
      }
    }

    private static void runsUntilCompiled(Set<NativeAddress> made) {
      Runnable relay =
          new ClassFiles.Loader("short-lived").relay(ClassFiles.of(Relay.class), () -> {});
      Eventually.isTrue(
          "it is compiled",
          () -> {
            for (int i = 0; i < 1_000; i++) {
              relay.run();
            }
            return !made.isEmpty();
          });
    }
  }

  @Test
  void otherCodeIsToldAgainToo() {
    List<DynamicCodeGeneratedEvent> told = new CopyOnWriteArrayList<>();
    try (Jvmti jvmti = Jvmti.open();
        Subscription one = jvmti.events().on(DYNAMIC_CODE_GENERATED, told::add)) {
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      jvmti.events().flush();
      assertThat(told).extracting(DynamicCodeGeneratedEvent::name).contains("Interpreter");
      assertThat(told).allSatisfy(event -> assertThat(event.size()).isPositive());
      assertThat(told)
          .extracting(DynamicCodeGeneratedEvent::address)
          .extracting(NativeAddress::value)
          .doesNotContain(0L);
      assertThat(one.counts().delivered()).isGreaterThanOrEqualTo(told.size());
    }
  }

  @Test
  void whoAsksForADumpIsToldOf() {
    ChildJvm.of(Dumped.class).run().succeeds();
  }

  static final class Dumped {
    public static void main(String[] args) throws IOException, InterruptedException {
      CountDownLatch told = new CountDownLatch(1);
      try (Jvmti jvmti = Jvmti.open();
          Subscription one = jvmti.events().on(DATA_DUMP_REQUEST, event -> told.countDown())) {
        String me = Long.toString(ProcessHandle.current().pid());
        new ProcessBuilder("kill", "-QUIT", me).start();
        told.await();
        assertThat(one.counts().failed()).isZero();
      }
    }
  }

  @Test
  void whoWaitsForAListenerThatDoesNotReturnIsToldSo() {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch listens = new CountDownLatch(1);
    try (Jvmti jvmti = Jvmti.open();
        Subscription one =
            jvmti
                .events()
                .on(
                    DYNAMIC_CODE_GENERATED,
                    event -> {
                      listens.countDown();
                      await(goOn);
                    })) {
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      await(listens);
      assertThatThrownBy(() -> jvmti.events().flush()).isInstanceOf(StalledException.class);
      goOn.countDown();
      jvmti.events().flush();
      assertThat(one.counts().failed()).isZero();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aListenerMayFlushAndClose() {
    List<Object> told = new CopyOnWriteArrayList<>();
    List<Subscription> itself = new CopyOnWriteArrayList<>();
    try (Jvmti jvmti = Jvmti.open()) {
      itself.add(
          jvmti
              .events()
              .on(
                  DYNAMIC_CODE_GENERATED,
                  event -> {
                    jvmti.events().flush();
                    itself.forEach(Subscription::close);
                    told.add(event);
                  }));
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      jvmti.events().flush();
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      jvmti.events().flush();
      assertThat(told).hasSize(1);
      assertThat(itself.get(0).counts().failed()).isZero();
    }
  }

  @Test
  void theyHaveNeitherThreadNorMethodToAskFor() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS)) {
      for (EventFilter filter :
          List.of(
              EventFilter.ANY.threads(Thread.currentThread()),
              EventFilter.ANY.classes("*"),
              EventFilter.ANY.methods())) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> jvmti.events().on(COMPILED_METHOD_LOAD, filter, event -> {}));
      }
      assertThatIllegalArgumentException()
          .as("only the name is left of a class that is unloaded")
          .isThrownBy(
              () ->
                  jvmti
                      .events()
                      .on(CLASS_UNLOAD, EventFilter.ANY.classes(String.class), event -> {}))
          .withMessageContaining("ask for its name");
    }
  }

  @Test
  @DisabledForJreRange(
      min = JRE.JAVA_19,
      max = JRE.JAVA_21,
      disabledReason = "there it may not end (KeptThreadsTest)")
  void theThreadThatTellsEndsWithTheEnvironment() {
    List<Thread> before = tellers();
    Jvmti jvmti = Jvmti.open();
    jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> {});
    Eventually.isTrue("it is there", () -> !before.containsAll(tellers()));
    List<Thread> tell = tellers();
    tell.removeAll(before);
    jvmti.close();
    Eventually.isTrue("it ends", () -> tellers().stream().noneMatch(tell::contains));
  }

  private static List<Thread> tellers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("jvmtools-events"))
        .collect(Collectors.toList());
  }
}
