package io.jvmtools.dump;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's bean for threads. Who asks the JDK for it has one of its locks each time, and whoever
 * is suspended with that would keep everybody else from it.
 */
final class ThreadBean {

  private static volatile @Nullable ThreadMXBean found;

  private ThreadBean() {}

  static ThreadMXBean get() {
    ThreadMXBean bean = found;
    if (bean == null) {
      bean = ManagementFactory.getThreadMXBean();
      found = bean;
    }
    return bean;
  }
}
