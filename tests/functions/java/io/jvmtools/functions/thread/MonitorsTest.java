package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_MONITOR_INFO;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_INFO;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.functions.Contention;
import io.jvmtools.functions.Nested;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.OwnedMonitor;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs with and without the agent; what a thread owns or waits for is known only with it. */
class MonitorsTest {

  @Test
  @OnlyUnderTheAgent
  void ownedMonitorsAreThoseOfTheManagementBean() {
    try (Nested worker = Nested.platform()) {
      Thread thread = worker.thread();
      List<OwnedMonitor> owned = JvmTools.getOwnedMonitorStackDepthInfo(thread);
      List<Object> objects = List.of(worker.twice(), worker.outer(), worker.inner());

      assertThat(objects(owned)).containsExactlyInAnyOrderElementsOf(objects);
      assertThat(JvmTools.getOwnedMonitorInfo(thread)).containsExactlyInAnyOrderElementsOf(objects);
      try (Jvmti jvmti =
          Jvmti.open(CAN_GET_OWNED_MONITOR_INFO, CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO)) {
        assertThat(jvmti.threads().ownedMonitors(thread)).isEqualTo(owned);
        assertThat(jvmti.threads().ownedMonitorObjects(thread))
            .containsExactlyInAnyOrderElementsOf(objects);
      }

      assertThat(depths(owned)).isEqualTo(innermostDepths(thread));
      for (OwnedMonitor monitor : owned) {
        String method = monitor.object() == worker.outer() ? "outside" : "inside";
        int depth = monitor.depth().orElseThrow();
        assertThat(JvmTools.getStackTrace(thread).get(depth).methodName()).isEqualTo(method);
      }
    }
  }

  @Test
  @OnlyUnderTheAgent
  @EnabledForJreRange(min = JRE.JAVA_23, disabledReason = "before, the JVM does not tell them")
  void suspendedVirtualThreadsOwnMonitors() {
    try (Nested worker = Nested.virtual()) {
      Thread thread = worker.thread();
      JvmTools.suspendThread(thread);
      List<OwnedMonitor> owned = JvmTools.getOwnedMonitorStackDepthInfo(thread);
      assertThat(objects(owned))
          .containsExactlyInAnyOrder(worker.twice(), worker.outer(), worker.inner());
      assertThat(JvmTools.getOwnedMonitorInfo(thread))
          .containsExactlyInAnyOrder(worker.twice(), worker.outer(), worker.inner());
      for (OwnedMonitor monitor : owned) {
        String method = monitor.object() == worker.outer() ? "outside" : "inside";
        int depth = monitor.depth().orElseThrow();
        assertThat(JvmTools.getStackTrace(thread).get(depth).methodName()).isEqualTo(method);
      }
      JvmTools.resumeThread(thread);
    }
  }

  @Test
  @OnlyUnderTheAgent
  void depthZeroOfTheCallingThreadIsTheCaller() {
    Object far = new Object();
    Object near = new Object();
    Thread current = Thread.currentThread();
    try (Jvmti jvmti = Jvmti.open(CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO)) {
      List<OwnedMonitor> owned;
      List<OwnedMonitor> further;
      synchronized (far) {
        synchronized (near) {
          owned = JvmTools.getOwnedMonitorStackDepthInfo(current);
          further = ownedInACall(jvmti);
          assertThat(Thread.holdsLock(far) && Thread.holdsLock(near)).isTrue();
          assertThat(JvmTools.getOwnedMonitorInfo(current)).contains(far, near);
        }
        assertThat(objects(JvmTools.getOwnedMonitorStackDepthInfo(current)))
            .contains(far)
            .doesNotContain(near);
      }
      assertThat(depthOf(far, owned)).isZero();
      assertThat(depthOf(near, owned)).isZero();
      assertThat(depthOf(far, further)).isEqualTo(1);
      assertThat(depthOf(near, further)).isEqualTo(1);
      assertThat(objects(JvmTools.getOwnedMonitorStackDepthInfo(current)))
          .doesNotContain(far, near);
    }
  }

  @Test
  @OnlyUnderTheAgent
  void contendedMonitorIsWhatTheThreadWaitsFor() {
    try (Contention contention = new Contention();
        Jvmti jvmti = Jvmti.open(CAN_GET_CURRENT_CONTENDED_MONITOR)) {
      for (Thread thread : contention.entering()) {
        assertThat(JvmTools.getCurrentContendedMonitor(thread)).containsSame(contention.object());
        assertThat(jvmti.threads().contendedMonitor(thread)).containsSame(contention.object());
        assertThat(bean(thread).getLockInfo().getIdentityHashCode())
            .isEqualTo(System.identityHashCode(contention.object()));
        assertThat(JvmTools.getOwnedMonitorInfo(thread)).isEmpty();
      }
      Thread waiter = contention.waiter();
      Optional<Object> awaited =
          Installation.feature() < 23 ? Optional.of(contention.object()) : Optional.empty();
      assertThat(JvmTools.getCurrentContendedMonitor(waiter)).isEqualTo(awaited);
      assertThat(JvmTools.getOwnedMonitorInfo(waiter)).isEmpty();
      assertThat(JvmTools.getOwnedMonitorInfo(contention.owner()))
          .containsExactly(contention.object());
      assertThat(JvmTools.getCurrentContendedMonitor(contention.owner())).isEmpty();
    }
    assertThat(JvmTools.getCurrentContendedMonitor(Thread.currentThread())).isEmpty();
  }

  @Test
  @OnlyUnderTheAgent
  void deadAndNewThreadsOwnAndWantNothing() {
    for (Thread thread : new Thread[] {Parked.ended(), Parked.unstarted()}) {
      calls()
          .forEach(
              call ->
                  assertThatExceptionOfType(ThreadNotAliveException.class)
                      .isThrownBy(() -> call.apply(thread))
                      .satisfies(e -> assertThat(e.code()).isEqualTo(15)));
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = UnderTheAgentTest.INSIDE,
      matches = "true",
      disabledReason = "the capability can be had here")
  void staticDoorSaysThatTheAgentIsMissing() {
    calls()
        .forEach(
            call ->
                assertThatExceptionOfType(MissingCapabilityException.class)
                    .isThrownBy(() -> call.apply(Thread.currentThread()))
                    .withMessageContaining("add -agentpath:")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NEEDS_AGENT_AT_START)));
  }

  static Stream<Arguments> functions() {
    Thread current = Thread.currentThread();
    return Stream.of(
        function(
            "GetOwnedMonitorInfo",
            CAN_GET_OWNED_MONITOR_INFO,
            jvmti -> jvmti.threads().ownedMonitorObjects(current)),
        function(
            "GetOwnedMonitorStackDepthInfo",
            CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
            jvmti -> jvmti.threads().ownedMonitors(current)),
        function(
            "GetCurrentContendedMonitor",
            CAN_GET_CURRENT_CONTENDED_MONITOR,
            jvmti -> jvmti.threads().contendedMonitor(current)),
        function(
            "GetObjectMonitorUsage",
            CAN_GET_MONITOR_INFO,
            jvmti -> jvmti.objects().monitorUsage("an object")));
  }

  @ParameterizedTest
  @MethodSource("functions")
  void functionWithoutItsCapabilityNamesTheRemedy(
      String function, Capability capability, Consumer<Jvmti> call) {
    boolean free = !capability.onLoadOnly() || Boolean.getBoolean(UnderTheAgentTest.INSIDE);
    try (Jvmti bare = Jvmti.open()) {
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(() -> call.accept(bare))
          .withMessageStartingWith(
              function + ": JVMTI_ERROR_MUST_POSSESS_CAPABILITY (99): " + capability)
          .withMessageContaining(free ? "add(" + capability + ")" : "add -agentpath:")
          .satisfies(
              e -> {
                assertThat(e.capability()).isEqualTo(capability);
                assertThat(e.reason())
                    .isEqualTo(free ? Reason.NOT_REQUESTED : Reason.NEEDS_AGENT_AT_START);
                assertThat(e.function()).isEqualTo(function);
              });
      if (free) {
        bare.add(capability);
        call.accept(bare);
      }
    }
  }

  private static Arguments function(String name, Capability capability, Consumer<Jvmti> call) {
    return Arguments.of(name, capability, call);
  }

  private static Stream<Function<Thread, Object>> calls() {
    return Stream.of(
        JvmTools::getOwnedMonitorInfo,
        JvmTools::getOwnedMonitorStackDepthInfo,
        JvmTools::getCurrentContendedMonitor);
  }

  private static List<OwnedMonitor> ownedInACall(Jvmti jvmti) {
    return jvmti.threads().ownedMonitors(Thread.currentThread());
  }

  private static List<Object> objects(List<OwnedMonitor> owned) {
    return owned.stream().map(OwnedMonitor::object).toList();
  }

  private static int depthOf(Object object, List<OwnedMonitor> owned) {
    return owned.stream()
        .filter(monitor -> monitor.object() == object)
        .findFirst()
        .orElseThrow()
        .depth()
        .orElseThrow();
  }

  private static Map<Integer, Integer> depths(List<OwnedMonitor> owned) {
    Map<Integer, Integer> depths = new HashMap<>();
    for (OwnedMonitor monitor : owned) {
      depths.put(System.identityHashCode(monitor.object()), monitor.depth().orElseThrow());
    }
    return depths;
  }

  private static Map<Integer, Integer> innermostDepths(Thread thread) {
    Map<Integer, Integer> depths = new HashMap<>();
    for (MonitorInfo monitor : bean(thread).getLockedMonitors()) {
      depths.merge(monitor.getIdentityHashCode(), monitor.getLockedStackDepth(), Math::min);
    }
    return depths;
  }

  private static ThreadInfo bean(Thread thread) {
    ThreadInfo[] infos =
        ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {thread.getId()}, true, false);
    return Arrays.stream(infos).findFirst().orElseThrow();
  }
}
