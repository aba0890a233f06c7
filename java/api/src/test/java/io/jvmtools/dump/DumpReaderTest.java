package io.jvmtools.dump;

import static io.jvmtools.dump.FabricatedFacts.BLOCKED;
import static io.jvmtools.dump.FabricatedFacts.IN_WAIT;
import static io.jvmtools.dump.FabricatedFacts.PARKED;
import static io.jvmtools.dump.FabricatedFacts.RUNNABLE;
import static io.jvmtools.dump.FabricatedFacts.SUSPENDED;
import static io.jvmtools.dump.FabricatedFacts.TERMINATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.internal.dump.DumpFacts;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.PackedFrames;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class DumpReaderTest {

  private static final DumpHeader HEADER =
      new DumpHeader(Instant.EPOCH, OptionalLong.empty(), "a JVM");

  private final Object red = new Object();
  private final Object blue = new Object();
  private final Object lock = new ReentrantLock();
  private final Object otherLock = new ReentrantLock();
  private final Thread a = new Thread(() -> {}, "a");
  private final Thread b = new Thread(() -> {}, "b");
  private final Thread c = new Thread(() -> {}, "c");

  private final FabricatedFacts facts = new FabricatedFacts();

  @Test
  void monitorsMakeADeadlock() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(c, RUNNABLE);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);

    ThreadDump dump = read();
    assertThat(names(dump)).containsExactly(List.of("a", "b"));
    DumpedWait wait = dump.thread(a).orElseThrow().waitsFor().orElseThrow();
    assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.MONITOR);
    assertThat(wait.lock()).contains(DumpedLock.of(blue));
    assertThat(wait.owner()).contains(new DumpedName("b", b.getId()));
    assertThat(dump.threads()).extracting(DumpedThread::name).containsExactly("a", "c", "b");
  }

  @Test
  void locksMakeADeadlockAndAreOwned() {
    Object third = new ReentrantLock();
    facts.thread(a, PARKED).parkedOn(lock, b);
    facts.thread(b, PARKED).parkedOn(otherLock, c);
    facts.thread(c, PARKED).parkedOn(third, a);

    ThreadDump dump = read();
    assertThat(names(dump)).containsExactly(List.of("a", "b", "c"));
    assertThat(dump.thread(a).orElseThrow().ownedLocks()).containsExactly(DumpedLock.of(third));
    assertThat(dump.thread(b).orElseThrow().waitsFor().orElseThrow().kind())
        .isEqualTo(DumpedWait.Kind.PARKED);
  }

  @Test
  void whoHasEndedWithALockIsSaidToHave() throws InterruptedException {
    c.start();
    c.join();
    facts.thread(a, PARKED).parkedOn(lock, c);
    facts.thread(b, PARKED).parkedOn(otherLock, a);

    ThreadDump dump = read();
    DumpedWait wait = dump.thread(a).orElseThrow().waitsFor().orElseThrow();
    assertThat(wait.ownerHasEnded()).isTrue();
    assertThat(wait.toString()).endsWith(" owned by \"c\" #" + c.getId() + ", which has ended");
    assertThat(dump.thread(b).orElseThrow().waitsFor().orElseThrow().ownerHasEnded()).isFalse();
  }

  @Test
  void monitorsAndLocksMakeADeadlock() {
    facts.thread(a, BLOCKED).contends(red);
    facts.thread(b, PARKED).owns(red, -1).parkedOn(lock, a);

    assertThat(names(read())).containsExactly(List.of("a", "b"));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadCanBeInADeadlock() {
    try (Parked parked = Parked.virtual()) {
      facts.thread(a, BLOCKED).owns(blue, 0).contends(red);
      facts.thread(parked.thread(), BLOCKED).owns(red, 0).contends(blue);

      ThreadDump dump = read();
      assertThat(dump.deadlocks()).hasSize(1);
      assertThat(dump.deadlocks().get(0).threads())
          .extracting(DumpedThread::isVirtual)
          .containsExactly(false, true);
      assertThat(dump.thread(parked.thread()).orElseThrow().group()).contains("VirtualThreads");
    }
  }

  @Test
  void whoWaitsForADeadlockIsNotInItAndKnowsTheOwner() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);
    facts.thread(c, BLOCKED).contends(red);

    ThreadDump dump = read();
    assertThat(names(dump)).containsExactly(List.of("a", "b"));
    assertThat(dump.thread(c).orElseThrow().waitsFor().orElseThrow().owner())
        .contains(new DumpedName("a", a.getId()));
  }

  @Test
  void deadlocksAreIndependent() {
    Thread d = new Thread(() -> {}, "d");
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(c, PARKED).parkedOn(lock, d);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);
    facts.thread(d, PARKED).parkedOn(otherLock, c);

    assertThat(names(read())).containsExactly(List.of("a", "b"), List.of("c", "d"));
  }

  @Test
  void whoWaitsToBeNotifiedIsInNoDeadlock() {
    facts.thread(a, IN_WAIT).owns(red, 1).contends(blue);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);

    ThreadDump dump = read();
    assertThat(dump.deadlocks()).isEmpty();
    DumpedWait wait = dump.thread(a).orElseThrow().waitsFor().orElseThrow();
    assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.NOTIFICATION);
    assertThat(wait.lock()).contains(DumpedLock.of(blue));
    assertThat(wait.owner()).isEmpty();
    assertThat(dump.unknown()).isEmpty();
  }

  @Test
  void whoMovesIsInNoDeadlock() {
    facts.thread(a, RUNNABLE).owns(red, 1).contends(blue).parkedOn(lock, b);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);

    ThreadDump dump = read();
    assertThat(dump.deadlocks()).isEmpty();
    assertThat(dump.thread(a).orElseThrow().waitsFor()).isEmpty();
  }

  @Test
  void nobodyWaitsForHimself() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(red);
    facts.thread(b, PARKED).parkedOn(lock, b);

    assertThat(read().deadlocks()).isEmpty();
  }

  @Test
  void anOwnerThatIsNotInTheDumpIsNamed() {
    facts.thread(a, PARKED).parkedOn(lock, b);
    facts.thread(c, PARKED).parkedOn(new ReentrantLock().newCondition(), null);

    ThreadDump dump = read();
    assertThat(dump.thread(b)).isEmpty();
    assertThat(dump.thread(a).orElseThrow().waitsFor().orElseThrow().owner())
        .contains(new DumpedName("b", b.getId()));
    assertThat(dump.thread(c).orElseThrow().waitsFor().orElseThrow().owner()).isEmpty();
  }

  @Test
  void theDeadAreLeftOut() {
    facts.thread(a, TERMINATED);
    facts.thread(b, RUNNABLE).cpu(12_000_000);

    ThreadDump dump = read();
    assertThat(dump.threads()).extracting(DumpedThread::name).containsExactly("b");
    assertThat(dump.threads().get(0).cpuTime()).contains(Duration.ofMillis(12));
  }

  @Test
  void theSuspensionOfTheDumpDoesNotShow() {
    facts.thread(a, PARKED | SUSPENDED | 0x4).suspension(0);
    facts.thread(b, RUNNABLE | SUSPENDED).suspension(14);
    facts.thread(c, RUNNABLE).suspension(13);

    ThreadDump dump = read();
    assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
    assertThat(dump.threads())
        .extracting(thread -> thread.state().bits())
        .containsExactly(PARKED, RUNNABLE | SUSPENDED, RUNNABLE);
    assertThat(dump.unknown())
        .containsExactly(
            "one moment of \"c\" #"
                + c.getId()
                + " (JVMTI_ERROR_THREAD_NOT_SUSPENDED (13)), their local variables and the monitors"
                + " they own: the JVM did not suspend them, somebody has resumed them"
                + " meanwhile, or what they carried ran on");
  }

  @Test
  void ofWhoWentOnOnlyTheStackIsTold() {
    long[] frames = ownFrames();
    facts.thread(a, RUNNABLE).frames(frames).owns(red, 1).local(0, "s", "Ls;", 0, "x");
    facts.suspension(0);
    facts.thread(b, RUNNABLE).frames(frames).owns(blue, 1).local(0, "s", "Ls;", 0, "x");
    facts.suspension(13);

    ThreadDump dump = read();
    assertThat(dump.threads()).allMatch(thread -> !thread.frames().isEmpty());
    assertThat(dump.threads()).extracting(DumpedThread::monitorsKnown).containsExactly(true, false);
    List<List<DumpedLock>> monitors =
        dump.threads().stream().map(thread -> thread.frames().get(1).monitors()).toList();
    assertThat(monitors).containsExactly(List.of(DumpedLock.of(red)), List.of());
    List<Integer> locals =
        dump.threads().stream().map(thread -> thread.frames().get(0).locals().size()).toList();
    assertThat(locals).containsExactly(1, 0);
    assertThat(dump.unknown()).singleElement().asString().startsWith("one moment of \"b\" #");
  }

  @Test
  void whatIsAwaitedIsToldByTheFactsOrElseByTheBean() {
    facts.thread(a, IN_WAIT).contends(red);
    facts.thread(b, IN_WAIT);
    facts.thread(c, BLOCKED);
    DumpedLock told = DumpedLock.of(blue);
    Map<Long, DumpedLock> awaited = Map.of(a.getId(), told, b.getId(), told, c.getId(), told);

    ThreadDump dump =
        new DumpReader(facts.build(), 0, Integer.MAX_VALUE, DeadlockSearch.BY_THE_JVM, awaited)
            .read(HEADER, List.of());
    assertThat(dump.threads())
        .extracting(thread -> thread.waitsFor().orElseThrow().lock())
        .containsExactly(Optional.of(DumpedLock.of(red)), Optional.of(told), Optional.empty());
    assertThat(dump.unknown()).noneMatch(line -> line.startsWith("the objects of Object"));
  }

  @Test
  void whatWasNotReadIsNotKnown() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue).cpu(5);
    facts.thread(b, IN_WAIT).owns(blue, 1).contends(red);

    ThreadDump dump =
        new DumpReader(facts.bare(), 0, Integer.MAX_VALUE, nobodyLooks(), Map.of())
            .read(HEADER, List.of("much"));
    assertThat(dump.consistency()).isEqualTo(DumpConsistency.SAFEPOINT);
    assertThat(dump.unknown())
        .containsExactly(
            "much",
            "native ids, and elapsed times: this JVM, or the system it runs in, hides them");
    assertThat(dump.deadlocksKnown()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(dump::deadlocks)
        .withMessageStartingWith("there may be deadlocks that nobody has found: much; ");
    assertThat(dump.toJson()).contains("\"deadlocks\":null");
    DumpedThread thread = dump.thread(a).orElseThrow();
    assertThat(thread.cpuTime()).isEmpty();
    assertThat(thread.waitsFor().orElseThrow().lock()).isEmpty();
    assertThat(thread.waitsFor()).hasToString("Optional[waiting to lock <not known>]");
    assertThat(thread.monitorsKnown()).isFalse();
    assertThat(thread.monitorsOfNoFrame()).isEmpty();
  }

  private static DeadlockSearch nobodyLooks() {
    return new DeadlockSearch((none, blocked) -> Map.of(), Optional.empty(), false, true, true);
  }

  @Test
  void whereThereWasNoTimeToAskForOwnersDeadlocksAreNotKnown() {
    facts.thread(a, BLOCKED).contends(red).ownedBy(null).late();
    assertThat(read().deadlocksKnown()).isFalse();
  }

  @Test
  void whoWasResumedMayOwnWhatOthersWaitFor() {
    facts.thread(a, BLOCKED).contends(red).ownedBy(null).suspension(0);
    facts.thread(b, RUNNABLE).owns(red, 1).suspension(13);
    assertThat(read().deadlocksKnown()).isFalse();
  }

  @Test
  void amongSomeThreadsNothingIsKnownOfThoseThatWaitForOthers() {
    Thread alive = Thread.currentThread();
    facts.thread(a, PARKED).parkedOn(lock, alive);
    assertThat(knows(false, false)).isFalse();
    assertThat(knows(true, true)).as("of all threads, but one that has just started").isTrue();
    facts.thread(alive, RUNNABLE);
    assertThat(knows(false, false)).isTrue();
  }

  @Test
  void whoHasEndedIsInNoDeadlock() {
    facts.thread(a, PARKED).parkedOn(lock, b);
    assertThat(knows(false, false)).isTrue();
  }

  @Test
  void whoIsNotInTheDumpMayOwnWhatNobodySaysThatItOwns() {
    facts.thread(a, BLOCKED).contends(red);
    assertThat(knows(true, true)).isTrue();
    assertThat(knows(false, false)).as("among some").isFalse();
    assertThat(knows(true, false)).as("the JDK keeps no track of virtual ones").isFalse();
  }

  private boolean knows(boolean seesPlatform, boolean seesVirtual) {
    DeadlockSearch search =
        new DeadlockSearch(
            (none, blocked) -> Map.of(), Optional.empty(), true, seesPlatform, seesVirtual);
    return new DumpReader(facts.build(), 0, Integer.MAX_VALUE, search, Map.of())
        .read(HEADER, List.of())
        .deadlocksKnown();
  }

  @Test
  void whoHasGotWhatItWantedWaitsForNobody() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(red);
    facts.thread(b, BLOCKED).contends(blue).ownedBy(b);

    ThreadDump dump = read();
    assertThat(dump.threads())
        .extracting(thread -> thread.waitsFor().orElseThrow().owner())
        .containsExactly(Optional.empty(), Optional.empty());
    assertThat(dump.deadlocksKnown()).isTrue();
  }

  @Test
  void aLaterLookTakesWhatItDoesNotKnowWithIt() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);
    ThreadDump first = read();
    ThreadDump same = read();
    facts.thread(c, BLOCKED).contends(lock).ownedBy(null).late();
    ThreadDump late = read();

    assertThat(first.confirmedBy(same)).returns(true, ThreadDump::deadlocksKnown);
    ThreadDump confirmed = first.confirmedBy(late);
    assertThat(confirmed.deadlocks()).hasSize(1);
    assertThat(confirmed.deadlocksKnown()).isFalse();
    assertThat(confirmed.unknown()).anyMatch(line -> line.startsWith("the owners of some"));
  }

  @Test
  void whatThereWasNoTimeForIsNamed() {
    facts.thread(a, RUNNABLE).late();
    facts.thread(b, RUNNABLE).owns(red, 1);

    ThreadDump dump = read();
    assertThat(dump.thread(a).orElseThrow().monitorsKnown()).isFalse();
    assertThat(dump.thread(b).orElseThrow().monitorsKnown()).isTrue();
    assertThat(dump.unknown())
        .hasSize(4)
        .allMatch(line -> line.matches(".* takes longer than (half )?the deadline; .*"))
        .anyMatch(line -> line.startsWith("the local variables of deep frames: "));
  }

  @Test
  void whoRunsAThreadAndWhoHasStartedIt() {
    facts.thread(a, RUNNABLE).carriedBy(b, "Pool@1");
    facts.thread(b, RUNNABLE).carriedBy(null, "<root>/Root@2");

    ThreadDump dump = read();
    DumpedThread thread = dump.thread(a).orElseThrow();
    assertThat(thread.carrier().orElseThrow().id()).isEqualTo(b.getId());
    assertThat(thread.container()).contains("Pool@1");
    assertThat(dump.thread(b).orElseThrow().container()).isEmpty();
    assertThat(dump.unknown()).as("virtual threads have no age").isEmpty();
  }

  @Test
  void whereTheSystemKeepsNoAgesThatIsSaid() {
    facts.thread(a, RUNNABLE).carriedBy(b, "Pool@1");
    facts.thread(b, RUNNABLE).ageless();
    assertThat(read().unknown()).containsExactly("elapsed times: this system does not keep them");
  }

  @Test
  void ofNoThreadsNothingIsUnknown() {
    assertThat(read().threads()).isEmpty();
    assertThat(read().unknown()).isEmpty();
  }

  @Test
  void whatTheJvmDoesNotTellIsNamed() {
    facts.thread(a, IN_WAIT);

    String untold =
        "the objects of Object.wait(): from JDK 23 on the JVM does not tell them, but a dump of"
            + " Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES) reads them";
    // Before, that it has told of none has another reason.
    assertThat(read().unknown())
        .isEqualTo(AwaitedObjects.TOLD_BY_THE_JVM ? List.of() : List.of(untold));
  }

  @Test
  void monitorsThatAreNotToldAreNotNone() {
    facts.thread(a, RUNNABLE).owns(red, -1);
    facts.thread(b, RUNNABLE).untold();
    facts.thread(c, RUNNABLE).owns(blue, -1);

    ThreadDump dump = read();
    assertThat(dump.threads())
        .extracting(DumpedThread::monitorsKnown)
        .containsExactly(true, false, true);
    assertThat(dump.threads())
        .extracting(DumpedThread::monitorsOfNoFrame)
        .containsExactly(List.of(DumpedLock.of(red)), List.of(), List.of(DumpedLock.of(blue)));
    assertThat(dump.unknown())
        .singleElement()
        .asString()
        .startsWith("the monitors that virtual threads own, and deadlocks over them: this JVM ");
  }

  @Test
  void monitorsTellTheirOwnersWhereThreadsDoNotTellTheirMonitors() {
    facts.thread(a, BLOCKED).contends(red).ownedBy(b).untold();
    facts.thread(b, BLOCKED).contends(blue).ownedBy(a).untold();
    facts.thread(c, BLOCKED).contends(lock).ownedBy(null);

    ThreadDump dump = read();
    assertThat(names(dump)).containsExactly(List.of("a", "b"));
    assertThat(dump.thread(a).orElseThrow().waitsFor().orElseThrow().owner())
        .contains(new DumpedName("b", b.getId()));
    assertThat(dump.thread(c).orElseThrow().waitsFor().orElseThrow().owner()).isEmpty();
    assertThat(dump.unknown())
        .singleElement()
        .asString()
        .startsWith(
            Runtime.version().feature() < 23
                ? "the monitors that virtual threads own: "
                : "the monitors that virtual threads own, and deadlocks over them: ");
  }

  @Test
  void whatTheCallingThreadDoesForTheDumpIsLeftOut() {
    long[] frames = ownFrames();
    facts.thread(Thread.currentThread(), RUNNABLE).frames(frames);
    facts.owns(red, 2).owns(blue, -1).local(2, "n", "I", 42, null);
    facts.thread(a, RUNNABLE).frames(frames).owns(lock, 2).local(1, "s", "Ls;", 0, "x");

    // The native and ownFrames are on top; the calling thread is shown without them.
    ThreadDump dump =
        new DumpReader(facts.build(), 2, Integer.MAX_VALUE, DeadlockSearch.BY_THE_JVM, Map.of())
            .read(HEADER, List.of());
    DumpedThread current = dump.thread(Thread.currentThread()).orElseThrow();
    assertThat(current.frames().get(0).frame().methodName())
        .isEqualTo("whatTheCallingThreadDoesForTheDumpIsLeftOut");
    assertThat(current.stack()).hasSize(frames.length / 2 - 2);
    assertThat(current.frames().get(0).monitors()).containsExactly(DumpedLock.of(red));
    assertThat(current.frames().get(0).locals()).containsExactly(new DumpedLocal("n", "I", "42"));
    assertThat(current.monitorsOfNoFrame()).containsExactly(DumpedLock.of(blue));

    DumpedThread other = dump.thread(a).orElseThrow();
    assertThat(other.stack()).hasSize(frames.length / 2);
    assertThat(other.frames().get(0).frame().methodName()).isEqualTo("getStackTrace");
    assertThat(other.frames().get(1).locals())
        .containsExactly(new DumpedLocal("s", "Ls;", "\"x\""));
    assertThat(other.frames().get(2).monitors()).containsExactly(DumpedLock.of(lock));
  }

  /** The deadline may pass meanwhile. */
  @Test
  void whatCannotBeLookedAtAgainIsNotDenied() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);

    ThreadDump dump = read().unconfirmed();
    assertThat(dump.deadlocksKnown()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(dump::deadlocks)
        .withMessageContaining("could not be looked at again within the deadline");
    assertThat(dump.threads()).hasSize(2);
    assertThat(dump.toString()).contains("Deadlocks: not all are known");
  }

  @Test
  void aLaterDumpConfirmsDeadlocks() {
    facts.thread(a, BLOCKED).owns(red, 1).contends(blue);
    facts.thread(b, BLOCKED).owns(blue, 1).contends(red);
    ThreadDump first = read();
    facts.thread(c, PARKED).parkedOn(lock, c);

    assertThat(first.confirmedBy(read()).deadlocks()).hasSize(1);
    assertThat(first.confirmedBy(read()).threads()).isSameAs(first.threads());

    FabricatedFacts moved = new FabricatedFacts();
    moved.thread(a, BLOCKED).owns(red, 1).contends(lock);
    moved.thread(b, BLOCKED).owns(lock, 1).contends(red);
    ThreadDump later =
        new DumpReader(moved.build(), 0, Integer.MAX_VALUE, DeadlockSearch.BY_THE_JVM, Map.of())
            .read(HEADER, List.of());
    assertThat(later.deadlocks()).hasSize(1);
    assertThat(first.confirmedBy(later).deadlocks()).isEmpty();
  }

  private ThreadDump read() {
    DumpFacts built = facts.build();
    return new DumpReader(built, 0, Integer.MAX_VALUE, DeadlockSearch.BY_THE_JVM, Map.of())
        .read(HEADER, List.of());
  }

  private static List<List<String>> names(ThreadDump dump) {
    return dump.deadlocks().stream()
        .map(deadlock -> deadlock.threads().stream().map(DumpedThread::name).toList())
        .toList();
  }

  /** Method ids and locations of the calling thread: the native, this method, its caller... */
  private static long[] ownFrames() {
    NativeLibrary.load();
    PackedFrames frames =
        PackedFrames.of(FrameNatives.getStackTrace(GeneralNatives.metadata(), null, 0, 10));
    List<Long> pairs = new ArrayList<>();
    for (int i = 0; i < frames.count(); i++) {
      pairs.add(frames.methodId(i));
      pairs.add(frames.location(i));
    }
    return pairs.stream().flatMapToLong(LongStream::of).toArray();
  }
}
