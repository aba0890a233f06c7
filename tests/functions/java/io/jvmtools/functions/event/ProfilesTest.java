package io.jvmtools.functions.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.event.AllocationProfile;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Profile;
import io.jvmtools.event.ProfileEntry;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.ProfileSnapshot;
import io.jvmtools.event.ProfileUnit;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is counted is compared with what was done, or with what the JDK counts itself. */
class ProfilesTest {

  private static final int INTERVAL = 512 * 1024;

  private static ProfileOptions here() {
    return ProfileOptions.DEFAULT.filter(EventFilter.ANY.threads(Thread.currentThread()));
  }

  private static ProfileOptions here(EventFilter more) {
    return ProfileOptions.DEFAULT.filter(more.threads(Thread.currentThread()));
  }

  private static Optional<ProfileEntry> at(ProfileSnapshot snapshot, String name, String method) {
    return snapshot.entries().stream()
        .filter(entry -> entry.className().equals(Optional.of(name)))
        .filter(entry -> entry.stack().get(0).getMethodName().equals(method))
        .findFirst();
  }

  private static List<Mark> marks(int many) {
    List<Mark> all = new ArrayList<>(many);
    for (int i = 0; i < many; i++) {
      all.add(new Mark());
    }
    return all;
  }

  /** Threads go by another interval from their next sample on. */
  private static void untilAllAreSamples(Profile profile) {
    Eventually.isTrue(
        "each object is a sample",
        () -> {
          filler = new byte[1 << 20];
          marks(1);
          return profile.snapshot().count() > 0;
        });
  }

  private static volatile Object filler;

  private static final class Mark {}

  @Test
  void allocationsAreCountedByClassAndStackAndThoseThatAreThereAreKnown() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile profile =
            jvmti.profile().allocations(0, here(EventFilter.ANY.classes(Mark.class)))) {
      untilAllAreSamples(profile);
      long before = profile.snapshot().count();
      List<Mark> kept = marks(100);
      marks(50);
      ProfileSnapshot snapshot = profile.snapshot();
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      assertThat(snapshot.count() - before).isEqualTo(150);
      ProfileEntry entry = at(snapshot, Mark.class.getName(), "marks").orElseThrow();
      assertThat(entry.amount()).isEqualTo(entry.count() * jvmti.objects().size(kept.get(0)));
      StackTraceElement here = new Throwable().getStackTrace()[0];
      assertThat(snapshot.entries())
          .filteredOn(one -> one.count() >= 50)
          .hasSize(2)
          .allSatisfy(
              one -> {
                StackTraceElement caller = one.stack().get(1);
                assertThat(caller.getClassName()).isEqualTo(here.getClassName());
                assertThat(caller.getMethodName()).isEqualTo(here.getMethodName());
                assertThat(caller.getFileName()).isEqualTo(here.getFileName());
                assertThat(caller.getLineNumber()).isBetween(1, here.getLineNumber());
              });
      Eventually.isTrue(
          "the others are gone",
          () -> {
            System.gc();
            return profile.live().count() == kept.size();
          });
      assertThat(profile.live().entries()).hasSize(1);
      assertThat(profile.counts().lost()).isZero();
    }
  }

  @Test
  void samplesAreAboutAsFarFromEachOtherAsWasAsked() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile profile = jvmti.profile().allocations(16 * 1024, here())) {
      untilAllAreSamples(profile);
      long samples = profile.snapshot().count();
      long before = profile.snapshot().amount();
      long began = allocated();
      Object last = null;
      for (int i = 0; i < 200_000; i++) {
        last = new byte[1_000];
      }
      long bytes = allocated() - began;
      ProfileSnapshot after = profile.snapshot();
      samples = after.count() - samples;
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      assertThat(last).isNotNull();
      assertThat(samples * 16 * 1024).isBetween(bytes * 8 / 10, bytes * 12 / 10);
      assertThat(after.amount() - before).isBetween(bytes * 8 / 10, bytes * 12 / 10);
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void waitingForMonitorsIsCountedAndMeasured() throws Exception {
    contends(body -> new Thread(body, "wants"));
  }

  @Test
  void waitingOfVirtualThreadsIsToo() throws Exception {
    assumeTrue(Parked.hasVirtualThreads(), "there are virtual threads from JDK 21 on");
    contends(body -> VirtualThreads.unstarted("wants", body));
  }

  private interface Threads {
    Thread of(Runnable body);
  }

  private static void contends(Threads threads) throws Exception {
    int times = 20;
    Object monitor = new Mark();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS);
        Profile profile =
            jvmti
                .profile()
                .contention(ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes(Mark.class)))) {
      long least = 0;
      long begun = System.nanoTime();
      for (int i = 0; i < times; i++) {
        Thread thread = threads.of(() -> takes(monitor));
        synchronized (monitor) {
          thread.start();
          Eventually.isTrue("it waits", () -> thread.getState() == Thread.State.BLOCKED);
          long seen = System.nanoTime();
          Thread.onSpinWait();
          least += System.nanoTime() - seen;
        }
        thread.join();
      }
      long most = System.nanoTime() - begun;
      ProfileSnapshot snapshot = profile.snapshot();
      assertThat(snapshot.unit()).isEqualTo(ProfileUnit.NANOSECONDS);
      assertThat(snapshot.count()).isEqualTo(times);
      assertThat(snapshot.amount()).isBetween(least, most);
      ProfileEntry entry = at(snapshot, Mark.class.getName(), "takes").orElseThrow();
      assertThat(entry.count()).isEqualTo(times);
    }
  }

  private static void takes(Object monitor) {
    synchronized (monitor) {
      monitor.hashCode();
    }
  }

  /** On 25 the JVM says of one that it has entered, though it has not wanted to. */
  @Test
  void aVirtualThreadThatIsNotifiedHasNotContended() throws Exception {
    assumeTrue(Parked.hasVirtualThreads(), "there are virtual threads from JDK 21 on");
    Object monitor = new Mark();
    boolean[] notified = new boolean[1];
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS);
        Profile profile =
            jvmti
                .profile()
                .contention(ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes(Mark.class)))) {
      Thread thread = VirtualThreads.start("waits", () -> waits(monitor, notified));
      Eventually.isTrue("it waits", () -> thread.getState() == Thread.State.WAITING);
      synchronized (monitor) {
        notified[0] = true;
        monitor.notifyAll();
      }
      thread.join();
      assertThat(profile.snapshot().entries())
          .allSatisfy(entry -> assertThat(entry.amount()).isPositive());
    }
  }

  private static void waits(Object monitor, boolean[] notified) {
    synchronized (monitor) {
      try {
        while (!notified[0]) {
          monitor.wait();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void noMoreAreCountedInASecondThanWasAsked() throws Exception {
    Object monitor = new Mark();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS);
        Profile profile =
            jvmti
                .profile()
                .contention(
                    ProfileOptions.DEFAULT.filter(
                        EventFilter.ANY.classes(Mark.class).perSecond(0)))) {
      Contended.waitFor(new Thread(() -> takes(monitor), "wants"), monitor);
      assertThat(profile.snapshot().entries()).isEmpty();
      assertThat(profile.counts().filtered()).as("with who ends while it is joined").isPositive();
      assertThat(profile.counts().lost()).isZero();
    }
  }

  @Test
  void whoHasWaitedSinceBeforeIsNotCounted() throws Exception {
    Object monitor = new Mark();
    Thread thread = new Thread(() -> takes(monitor), "wants");
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS)) {
      Profile profile;
      synchronized (monitor) {
        thread.start();
        Eventually.isTrue("it waits", () -> thread.getState() == Thread.State.BLOCKED);
        // Blocked it is before the JVM would tell of it, but whoever can be asked has been told of.
        assertThat(thread.getStackTrace()).isNotEmpty();
        profile =
            jvmti
                .profile()
                .contention(ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes(Mark.class)));
      }
      thread.join();
      assertThat(profile.snapshot().entries()).isEmpty();
      assertThat(profile.counts().filtered()).as("with who ends while it is joined").isPositive();
    }
  }

  /** What only the agent can have, and only if it is asked for. */
  @Test
  void methodsAndExceptionsAreCounted() {
    ChildJvm.of(Prepared.class)
        .agent("prepare=can_generate_method_entry_events+can_generate_exception_events")
        .run()
        .succeeds();
  }

  static final class Prepared {

    private static final int TIMES = 1_000;

    public static void main(String[] args) {
      try (Jvmti jvmti =
          Jvmti.open(
              Capability.CAN_GENERATE_METHOD_ENTRY_EVENTS,
              Capability.CAN_GENERATE_EXCEPTION_EVENTS)) {
        methods(jvmti);
        exceptions(jvmti);
      }
    }

    private static void methods(Jvmti jvmti) {
      try (Profile profile =
          jvmti.profile().methodEntries(here(EventFilter.ANY.classes(Prepared.class)))) {
        for (int i = 0; i < TIMES; i++) {
          step(i);
        }
        ProfileSnapshot snapshot = profile.snapshot();
        assertThat(snapshot.entries())
            .filteredOn(entry -> entry.stack().get(0).getMethodName().equals("step"))
            .singleElement()
            .satisfies(
                entry -> {
                  assertThat(entry.count()).isEqualTo(TIMES);
                  assertThat(entry.className()).isEmpty();
                  assertThat(entry.stack()).hasSize(1);
                  assertThat(entry.amount()).isZero();
                });
        assertThat(snapshot.toCollapsed().lines())
            .contains(Prepared.class.getName() + ".step " + TIMES);
      }
    }

    private static int step(int number) {
      return number + 1;
    }

    private static void exceptions(Jvmti jvmti) {
      try (Profile profile =
          jvmti.profile().exceptions(here(EventFilter.ANY.classes(IllegalStateException.class)))) {
        for (int i = 0; i < TIMES; i++) {
          try {
            throwsOne();
          } catch (IllegalStateException expected) {
            assertThat(expected.getStackTrace()[0].getMethodName()).isEqualTo("throwsOne");
          }
        }
        ProfileSnapshot snapshot = profile.snapshot();
        assertThat(snapshot.unit()).isEqualTo(ProfileUnit.NOTHING);
        assertThat(snapshot.entries()).hasSize(1);
        ProfileEntry entry =
            at(snapshot, IllegalStateException.class.getName(), "throwsOne").orElseThrow();
        assertThat(entry.count()).isEqualTo(TIMES).isEqualTo(profile.counts().delivered());
        assertThat(entry.stack())
            .extracting(StackTraceElement::getMethodName)
            .containsExactly("throwsOne", "exceptions", "main");
      }
    }

    private static void throwsOne() {
      throw new IllegalStateException("expected");
    }
  }

  @Test
  void whatHasNoRoomIsLostAndSaid() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile profile =
            jvmti
                .profile()
                .allocations(0, here(EventFilter.ANY.classes(Mark.class)).stacks(1).depth(1))) {
      untilAllAreSamples(profile);
      long before = profile.snapshot().count();
      marks(10);
      Object other = new Mark();
      Object another = new Mark();
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      assertThat(other).isNotSameAs(another);
      ProfileSnapshot snapshot = profile.snapshot();
      assertThat(snapshot.entries())
          .singleElement()
          .satisfies(entry -> assertThat(entry.stack()).hasSize(1));
      assertThat(profile.counts().delivered()).isEqualTo(snapshot.count());
      assertThat(profile.counts().delivered()).isEqualTo(before + 10);
      assertThat(profile.counts().lost()).isEqualTo(2);
    }
  }

  @Test
  void aStackThatIsCutSaysSo() throws Exception {
    ProfileOptions ofMarks = ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes(Mark.class));
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile whole = jvmti.profile().allocations(0, ofMarks);
        AllocationProfile cut = jvmti.profile().allocations(0, ofMarks.depth(2))) {
      Thread thread = new Thread(() -> untilAllAreSamples(cut));
      thread.start();
      thread.join();
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      assertThat(whole.snapshot().entries()).isNotEmpty().noneMatch(ProfileEntry::isCut);
      assertThat(cut.snapshot().entries())
          .isNotEmpty()
          .allMatch(ProfileEntry::isCut)
          .allMatch(entry -> entry.stack().size() == 2);
      assertThat(whole.snapshot().toCollapsed()).startsWith("java.lang.Thread.run;");
      assertThat(cut.snapshot().toCollapsed()).startsWith("...;");
      JsonNode json = new ObjectMapper().readTree(cut.snapshot().toJson());
      assertThat(json.get("entries").get(0).get("cut").asBoolean()).isTrue();
    }
  }

  @Test
  void whatWasCountedIsNamedAfterItsClassIsUnloaded() throws Exception {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile profile =
            jvmti
                .profile()
                .allocations(
                    0, ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes(Mark.class)))) {
      WeakReference<?>[] loader = new WeakReference<?>[1];
      Thread loading =
          new Thread(
              () -> {
                ClassFiles.Loader one = new ClassFiles.Loader("short-lived");
                loader[0] = new WeakReference<>(one);
                one.relay(ClassFiles.of(Relay.class), () -> untilAllAreSamples(profile)).run();
              });
      loading.start();
      loading.join();
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      GcUntil.cleared(loader);
      assertThat(profile.snapshot().entries())
          .anySatisfy(
              entry ->
                  assertThat(entry.stack())
                      .anyMatch(frame -> frame.getClassName().equals(Relay.class.getName())));
      assertThat(profile.live().count()).isZero();
    }
  }

  @Test
  void whatIsClosedKeepsWhatItHasCounted() {
    Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
    AllocationProfile profile =
        jvmti.profile().allocations(0, here(EventFilter.ANY.classes(Mark.class)));
    untilAllAreSamples(profile);
    marks(10);
    long counted = profile.snapshot().count();
    profile.close();
    marks(10);
    jvmti.profile().setHeapSamplingInterval(INTERVAL);
    assertThat(profile.snapshot().count()).isEqualTo(counted).isGreaterThan(10);
    assertThat(profile.counts().delivered()).isEqualTo(counted);
    assertThat(profile.live().entries()).isEmpty();
    AllocationProfile open =
        jvmti.profile().allocations(INTERVAL, here(EventFilter.ANY.classes(Mark.class)));
    jvmti.close();
    profile.close();
    assertThat(profile.snapshot().count()).isEqualTo(counted);
    assertThatThrownBy(open::snapshot).isInstanceOf(IllegalStateException.class);
    open.close();
    assertThat(open.snapshot().entries()).isEmpty();
  }

  @Test
  void whoListensIsToldBesideAProfile() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS)) {
      EventFilter ofMarks = EventFilter.ANY.classes(Mark.class).threads(Thread.currentThread());
      List<Mark> made = new ArrayList<>();
      try (AllocationProfile profile =
              jvmti.profile().allocations(0, ProfileOptions.DEFAULT.filter(ofMarks));
          Subscription told =
              jvmti
                  .events()
                  .on(EventTypes.SAMPLED_OBJECT_ALLOC, ofMarks, event -> made.add(new Mark()))) {
        untilAllAreSamples(profile);
        long before = profile.snapshot().count();
        marks(5);
        jvmti.profile().setHeapSamplingInterval(INTERVAL);
        assertThat(profile.snapshot().count()).isEqualTo(before + 5);
        assertThat(told.counts().delivered()).isEqualTo(before + 5);
        assertThat(made).hasSize(Math.toIntExact(before + 5));
      }
    }
  }

  @Test
  void aSnapshotIsATextForToolsAndForPeople() throws Exception {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
        AllocationProfile profile =
            jvmti.profile().allocations(0, here(EventFilter.ANY.classes(Mark.class)))) {
      untilAllAreSamples(profile);
      long before = profile.snapshot().count();
      marks(7);
      ProfileSnapshot snapshot = profile.snapshot();
      jvmti.profile().setHeapSamplingInterval(INTERVAL);
      long sum =
          snapshot
              .toCollapsed()
              .lines()
              .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
      assertThat(sum).isEqualTo(snapshot.amount()).isPositive();
      assertThat(snapshot.toCollapsed())
          .containsPattern(
              "ProfilesTest\\.aSnapshotIsATextForToolsAndForPeople;"
                  + "\\Q"
                  + ProfilesTest.class.getName()
                  + ".marks;["
                  + Mark.class.getName()
                  + "]\\E \\d+\n");
      JsonNode json = new ObjectMapper().readTree(snapshot.toJson());
      assertThat(json.get("count").asLong()).isEqualTo(before + 7);
      assertThat(json.get("unit").asText()).isEqualTo("bytes");
      JsonNode frame = json.get("entries").get(0).get("stack").get(0);
      assertThat(frame.get("class").asText()).isEqualTo(ProfilesTest.class.getName());
      assertThat(frame.get("line").asInt()).isPositive();
      assertThat(snapshot.toString())
          .contains(before + 7 + " times", "bytes", Mark.class.getName(), "ProfilesTest.java");
    }
  }

  @Test
  void optionsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> ProfileOptions.DEFAULT.depth(0));
    assertThatIllegalArgumentException().isThrownBy(() -> ProfileOptions.DEFAULT.depth(1_025));
    assertThatIllegalArgumentException().isThrownBy(() -> ProfileOptions.DEFAULT.stacks(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProfileOptions.DEFAULT.stacks((1 << 17) + 1));
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.profile().allocations(-1))
          .withMessageContaining("interval of -1");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  jvmti
                      .profile()
                      .contention(ProfileOptions.DEFAULT.filter(EventFilter.ANY.minSize(1))))
          .withMessageContaining("size");
    }
  }
}
