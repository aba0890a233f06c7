package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INTERRUPT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_MONITOR;
import static io.jvmtools.functions.errors.ErrorNames.NOT_MONITOR_OWNER;
import static io.jvmtools.functions.errors.Impossible.both;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Jvmti;
import io.jvmtools.objects.RawMonitor;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Raw monitors. */
final class MonitorErrors implements ErrorRows {

  private static final String CLOSED = "this raw monitor is closed";
  private static final String UNOWNED = "a monitor that the calling thread does not hold";

  @Override
  public List<Provocation> provoked() {
    return List.of(
        Provocation.closed(
            "RawMonitorEnter", INVALID_MONITOR, CLOSED, gone(m -> m.hold(() -> "done"))),
        Provocation.closed("RawMonitorWait", INVALID_MONITOR, CLOSED, gone(MonitorErrors::await)),
        Provocation.closed("RawMonitorNotify", INVALID_MONITOR, CLOSED, gone(RawMonitor::signal)),
        Provocation.closed(
            "RawMonitorNotifyAll", INVALID_MONITOR, CLOSED, gone(RawMonitor::signalAll)),
        provoke("RawMonitorWait", NOT_MONITOR_OWNER, UNOWNED, free(MonitorErrors::await)),
        provoke("RawMonitorNotify", NOT_MONITOR_OWNER, UNOWNED, free(RawMonitor::signal)),
        provoke("RawMonitorNotifyAll", NOT_MONITOR_OWNER, UNOWNED, free(RawMonitor::signalAll)));
  }

  @Override
  public List<Impossible> impossible() {
    return both(
        both(
            Impossible.impossible(
                NOT_MONITOR_OWNER,
                "Only who has entered leaves, and the last one to leave destroys.",
                "RawMonitorExit",
                "DestroyRawMonitor"),
            Impossible.impossible(
                INVALID_MONITOR,
                "It is there until the last thread has left it, and close() may be called again.",
                "RawMonitorExit",
                "DestroyRawMonitor")),
        Impossible.impossible(
            INTERRUPT,
            "It is what await answers then, WaitEnd.INTERRUPTED, as RawMonitorsTest shows.",
            "RawMonitorWait"));
  }

  private static void await(RawMonitor monitor) {
    monitor.await(Duration.ofMinutes(1));
  }

  private static Provocation.Call free(Consumer<RawMonitor> call) {
    return jvmti -> {
      try (RawMonitor monitor = jvmti.rawMonitors().create("free")) {
        call.accept(monitor);
      }
    };
  }

  private static Provocation.Call gone(Consumer<RawMonitor> call) {
    return jvmti -> call.accept(closed(jvmti));
  }

  private static RawMonitor closed(Jvmti jvmti) {
    RawMonitor monitor = jvmti.rawMonitors().create("closed");
    monitor.close();
    return monitor;
  }
}
