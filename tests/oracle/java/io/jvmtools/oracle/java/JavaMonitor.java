package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.MonitorFunctions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What Java says itself of the stem {@code monitor}: an object for each. */
interface JavaMonitor extends MonitorFunctions {

  /** By what the scenarios call them. */
  Map<String, Object> OBJECTS = new ConcurrentHashMap<>();

  private static Object object(String name) {
    return OBJECTS.computeIfAbsent(name, unknown -> new Object());
  }

  @Override
  default String createRawMonitor(String name) {
    OBJECTS.put(name, new Object());
    return "NONE";
  }

  @Override
  default String rawMonitorEnter(String monitor, Runnable action) {
    synchronized (object(monitor)) {
      action.run();
    }
    return "NONE";
  }

  @Override
  default String rawMonitorExit(String monitor, Runnable action) {
    return rawMonitorEnter(monitor, action);
  }

  @Override
  default String rawMonitorWait(String monitor, long millis) {
    try {
      object(monitor).wait(millis);
      return "NONE";
    } catch (InterruptedException e) {
      return "INTERRUPT";
    } catch (IllegalMonitorStateException e) {
      return "NOT_MONITOR_OWNER";
    }
  }

  @Override
  default String rawMonitorNotify(String monitor) {
    try {
      object(monitor).notify();
      return "NONE";
    } catch (IllegalMonitorStateException e) {
      return "NOT_MONITOR_OWNER";
    }
  }

  @Override
  default String rawMonitorNotifyAll(String monitor) {
    try {
      object(monitor).notifyAll();
      return "NONE";
    } catch (IllegalMonitorStateException e) {
      return "NOT_MONITOR_OWNER";
    }
  }
}
