package io.jvmtools.oracle.java;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.oracle.asked.TimerFunctions;
import java.lang.management.ManagementFactory;

/** What Java says itself of the stem {@code timer}. */
interface JavaTimer extends TimerFunctions {

  @Override
  default String getThreadCpuTime(Thread thread) {
    if (!thread.isAlive() || Virtual.is(thread)) {
      throw new Observer.NoAnswer();
    }
    return String.valueOf(ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  @Override
  default String getCurrentThreadCpuTime() {
    if (Virtual.is(Thread.currentThread())) {
      throw new Observer.NoAnswer();
    }
    return String.valueOf(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
  }

  @Override
  default String getTime() {
    return String.valueOf(System.nanoTime());
  }

  @Override
  default String getAvailableProcessors() {
    return String.valueOf(Runtime.getRuntime().availableProcessors());
  }
}
