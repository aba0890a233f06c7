package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.ModuleNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many who ask for a list while none is made wait for one list, and not for as many as they are.
 */
class ListedTogetherTest {

  @ParameterizedTest
  @EnumSource
  void whoAsksBeforeAListIsBegunSharesIt(WayIn way) {
    assumeTrue(Installation.feature() < 20, "from 20 on Thread.suspend() does nothing");
    way.of(Main.class).run().succeeds();
  }

  static final class Main {

    private static final int CALLERS = 16;

    public static void main(String[] args) throws Exception {
      try (Counting worker = Counting.platform()) {
        JvmTools.suspendThread(worker.thread());
        JvmTools.resumeThread(worker.thread());
      }
      long env = GeneralNatives.metadata();
      ClassLoader loader = Main.class.getClassLoader();
      ClassLoader other = ClassLoader.getPlatformClassLoader();
      share(() -> ClassNatives.getLoadedClasses(env));
      share(() -> ModuleNatives.getAllModules(env));
      share(() -> ClassNatives.getClassLoaderClasses(env, null));
      Object[] ours = share(() -> ClassNatives.getClassLoaderClasses(env, loader));
      Object[] others = share(() -> ClassNatives.getClassLoaderClasses(env, other));
      assertThat(ours).contains(Main.class);
      assertThat(others).doesNotContain(Main.class);
    }

    /** What all have got while the one who makes it was stopped, but for a few who came late. */
    private static Object[] share(Supplier<Object[]> list) throws Exception {
      Set<Object[]> lists =
          Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
      List<Thread> callers = new ArrayList<>();
      steward("suspend");
      for (int i = 0; i < CALLERS; i++) {
        Thread caller = new Thread(() -> lists.add(list.get()), "asks");
        caller.start();
        callers.add(caller);
      }
      callers.forEach(Main::awaitRest);
      steward("resume");
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(lists).hasSizeBetween(1, CALLERS / 2);
      Object[] before = lists.iterator().next();
      assertThat(list.get()).isNotSameAs(before);
      return before;
    }

    /** Until it does nothing any more inside the library. */
    private static void awaitRest(Thread thread) {
      long[] times = {-1, 0};
      Eventually.isTrue(
          "it waits",
          () -> {
            times[0] = times[1];
            times[1] = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
            StackTraceElement[] stack = thread.getStackTrace();
            return times[0] == times[1] && stack.length > 0 && stack[0].isNativeMethod();
          });
    }

    private static void steward(String method) throws ReflectiveOperationException {
      for (Thread own : SuspensionNatives.ownThreads(GeneralNatives.metadata())) {
        if (own.getName().endsWith("steward")) {
          Thread.class.getMethod(method).invoke(own);
        }
      }
    }
  }
}
