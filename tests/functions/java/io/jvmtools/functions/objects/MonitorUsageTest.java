package io.jvmtools.functions.objects;

import static io.jvmtools.Capability.CAN_GET_MONITOR_INFO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.Contention;
import io.jvmtools.functions.Nested;
import io.jvmtools.objects.MonitorUsage;
import io.jvmtools.support.Installation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class MonitorUsageTest {

  @Test
  void namesOwnerAndWaiters() {
    try (Contention contention = new Contention();
        Jvmti jvmti = Jvmti.open(CAN_GET_MONITOR_INFO)) {
      Object object = contention.object();
      for (MonitorUsage usage :
          List.of(JvmTools.getObjectMonitorUsage(object), jvmti.objects().monitorUsage(object))) {
        assertThat(usage.owner()).containsSame(contention.owner());
        assertThat(usage.entryCount()).isEqualTo(2);
        assertThat(usage.waiters()).containsExactlyInAnyOrderElementsOf(contention.entering());
        assertThat(usage.notifyWaiters()).containsExactly(contention.waiter());
        assertThat(usage.toString())
            .startsWith("owned by \"owner\" (2 entries), wanted by \"entering ")
            .endsWith(", awaited by \"waiter\"");
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(() -> usage.waiters().clear());
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(() -> usage.notifyWaiters().clear());
      }
    }
  }

  @Test
  void followsTheCallingThread() {
    Object object = new Object();
    MonitorUsage free = new MonitorUsage(Optional.empty(), 0, List.of(), List.of());
    assertThat(JvmTools.getObjectMonitorUsage(object))
        .isEqualTo(free)
        .hasToString(Installation.feature() < 23 ? "free" : "owned by no platform thread");
    synchronized (object) {
      assertThat(Thread.holdsLock(object)).isTrue();
      MonitorUsage usage = JvmTools.getObjectMonitorUsage(object);
      assertThat(usage.owner()).containsSame(Thread.currentThread());
      assertThat(usage.entryCount()).isEqualTo(1);
      assertThat(usage.waiters()).isEmpty();
      assertThat(usage.notifyWaiters()).isEmpty();
    }
    assertThat(JvmTools.getObjectMonitorUsage(object)).isEqualTo(free);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_23, disabledReason = "before, virtual owners were named")
  void tellsOfPlatformThreadsOnly() {
    try (Nested worker = Nested.virtual()) {
      MonitorUsage usage = JvmTools.getObjectMonitorUsage(worker.outer());
      assertThat(usage.owner()).isEmpty();
      assertThat(usage.entryCount()).isZero();
    }
  }
}
