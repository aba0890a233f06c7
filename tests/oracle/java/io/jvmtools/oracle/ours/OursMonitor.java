package io.jvmtools.oracle.ours;

import io.jvmtools.Jvmti;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.objects.WaitEnd;
import io.jvmtools.oracle.asked.MonitorFunctions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The stem {@code monitor} through the public API. */
interface OursMonitor extends MonitorFunctions, OurEnvironment {

  /** Those that there are, by their environment and what the scenarios call them. */
  Map<Key, RawMonitor> MONITORS = new ConcurrentHashMap<>();

  /**
   * What a monitor is found by.
   *
   * @param jvmti its environment
   * @param name what it is called
   */
  record Key(Jvmti jvmti, String name) {}

  private RawMonitor monitor(String name) {
    Key key = new Key(jvmti(), name);
    return MONITORS.computeIfAbsent(key, unknown -> jvmti().rawMonitors().create(name));
  }

  @Override
  default String createRawMonitor(String name) {
    MONITORS.put(new Key(jvmti(), name), jvmti().rawMonitors().create(name));
    return "NONE";
  }

  @Override
  default String destroyRawMonitor(String monitor) {
    monitor(monitor).close();
    MONITORS.remove(new Key(jvmti(), monitor));
    return "NONE";
  }

  @Override
  default String rawMonitorEnter(String monitor, Runnable action) {
    return monitor(monitor)
        .hold(
            () -> {
              action.run();
              return "NONE";
            });
  }

  @Override
  default String rawMonitorExit(String monitor, Runnable action) {
    return rawMonitorEnter(monitor, action);
  }

  @Override
  default String rawMonitorWait(String monitor, long millis) {
    WaitEnd end = monitor(monitor).await(Duration.ofMillis(millis));
    return end == WaitEnd.INTERRUPTED ? "INTERRUPT" : "NONE";
  }

  @Override
  default String rawMonitorNotify(String monitor) {
    monitor(monitor).signal();
    return "NONE";
  }

  @Override
  default String rawMonitorNotifyAll(String monitor) {
    monitor(monitor).signalAll();
    return "NONE";
  }
}
