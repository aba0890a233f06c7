package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.support.GcUntil;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What is remembered of methods goes some time after their classes. */
class ForgottenMethodsTest {

  private static final int CLASSES = 1000;

  @Test
  void methodsOfUnloadedClassesAreForgotten() throws Exception {
    ask();
    long before = methods();
    WeakReference<?>[] loaders = new WeakReference<?>[CLASSES];
    // On a thread of its own, so that no frame of this one keeps a loader.
    Thread loading = new Thread(() -> load(loaders));
    loading.start();
    loading.join();
    GcUntil.cleared(loaders);
    ask();
    // Each has three.
    assertThat(methods() - before).isLessThan(CLASSES);
  }

  private static void load(WeakReference<?>[] loaders) {
    byte[] file = ClassFiles.of(Relay.class);
    for (int i = 0; i < loaders.length; i++) {
      ClassFiles.Loader loader = new ClassFiles.Loader("short-lived");
      assertThat(JvmTools.getClassMethods(loader.relay(file, () -> {}).getClass())).hasSize(3);
      loaders[i] = new WeakReference<>(loader);
    }
  }

  /** For something else, often enough for all that is remembered to be looked at. */
  private static void ask() {
    for (int i = 0; i < 4 * CLASSES; i++) {
      JvmTools.getClassMethods(Runnable.class);
    }
  }

  private static long methods() throws JMException {
    Object histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    String row = " " + JvmMethod.class.getName();
    return histogram
        .toString()
        .lines()
        .filter(line -> line.endsWith(row) || line.contains(row + " "))
        .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[1]))
        .sum();
  }
}
