package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.event.SilentDelivery;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.dump.DumpNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.objects.MonitorNatives;
import io.jvmtools.internal.system.JniTableNatives;
import io.jvmtools.internal.system.MemoryNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Samples;
import io.jvmtools.support.Spec;
import java.lang.ref.Reference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call of every native that takes an environment, on a bare handle: what Java classes check
 * before, they check for comfort; the natives must be safe by themselves.
 */
final class Calls {

  /** What the calls need. */
  static final long CAPABILITIES =
      bit(Capability.CAN_TAG_OBJECTS)
          | bit(Capability.CAN_SUSPEND)
          | bit(Capability.CAN_GET_THREAD_CPU_TIME)
          | bit(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)
          | bit(Capability.CAN_GET_LINE_NUMBERS)
          | bit(Capability.CAN_GET_SOURCE_FILE_NAME);

  private static final long FREE = bit(Capability.CAN_GET_BYTECODES);

  /** The slot of a function that nobody calls. */
  private static final int[] GET_SUPERCLASS = {10};

  private Calls() {}

  /** One call. */
  interface Call {
    void on(long env);
  }

  /** A call and its name. */
  record Named(String name, Call call) {

    @Override
    public String toString() {
      return name;
    }
  }

  /** Natives that are no calls of an environment like others. */
  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "close", "it is what the others are tried against",
          "isOpen", "it answers for a closed one, too",
          "destroyRawMonitor", "those of a closed one are destroyed already",
          "stopCounting", "those of a closed one count no more",
          "interruptThread", "the thread that the calls are about would park no more",
          "stopThread", "the thread that the calls are about would end");

  /** All calls; those about a thread ask for {@code thread}. */
  static List<Named> all(Thread thread) {
    Map<String, Call> special = special(thread);
    List<Named> all = new ArrayList<>();
    for (Class<?> type : ProductClasses.internal()) {
      for (Method method : type.getDeclaredMethods()) {
        if (takesAnEnvironment(method) && !LEFT_OUT.containsKey(method.getName())) {
          Call usual = env -> invoke(method, env, thread);
          all.add(new Named(method.getName(), special.getOrDefault(method.getName(), usual)));
        }
      }
    }
    assertThat(all).as("natives").extracting(Named::name).containsAll(special.keySet());
    all.add(new Named("empty", SelfTestNatives::empty));
    return all;
  }

  /** Those that want other arguments than what their types say. */
  private static Map<String, Call> special(Thread thread) {
    Thread[] one = {thread};
    return Map.ofEntries(
        Map.entry("addCapabilities", env -> CapabilitiesNatives.addCapabilities(env, FREE)),
        Map.entry(
            "relinquishCapabilities", env -> CapabilitiesNatives.relinquishCapabilities(env, FREE)),
        Map.entry("whileBorrowed", env -> CapabilitiesNatives.whileBorrowed(env, FREE, () -> {})),
        Map.entry("whileSuspended", env -> suspendForATime(env, one)),
        Map.entry("runAgentThread", Calls::runAgentThread),
        Map.entry("subscribe", SilentDelivery::begin),
        Map.entry("allocate", env -> MemoryNatives.allocate(env, 1, Long.MAX_VALUE)),
        Map.entry(
            "collect", env -> DumpNatives.collect(env, new Thread[0], Long.MAX_VALUE, 0, 1, 0)),
        Map.entry("calls", Calls::count),
        Map.entry(
            "setJNIFunctionTable",
            env -> JniTableNatives.setJNIFunctionTable(env, new Object(), GET_SUPERCLASS)),
        Map.entry(
            "rawMonitorEnter",
            holding((env, monitor) -> MonitorNatives.rawMonitorEnter(env, monitor, () -> {}))),
        Map.entry(
            "rawMonitorWait",
            holding((env, monitor) -> MonitorNatives.rawMonitorWait(env, monitor, 1))),
        Map.entry("rawMonitorNotify", holding(MonitorNatives::rawMonitorNotify)),
        Map.entry("rawMonitorNotifyAll", holding(MonitorNatives::rawMonitorNotifyAll)));
  }

  private static void count(long env) {
    if (!GeneralNatives.isOpen(env)) {
      JniTableNatives.calls(env, 1);
      return;
    }
    Object owner = new Object();
    long counter = JniTableNatives.setJNIFunctionTable(env, owner, GET_SUPERCLASS);
    JniTableNatives.calls(env, counter);
    JniTableNatives.stopCounting(env, counter);
    Reference.reachabilityFence(owner);
  }

  /** A call about a raw monitor, which the calling thread holds if there can be one. */
  private interface MonitorCall {
    void on(long env, long monitor);
  }

  private static Call holding(MonitorCall call) {
    return env -> {
      if (!GeneralNatives.isOpen(env)) {
        call.on(env, 1);
        return;
      }
      Object owner = new Object();
      long monitor = MonitorNatives.createRawMonitor(env, owner, "of a call");
      MonitorNatives.rawMonitorEnter(env, monitor, () -> call.on(env, monitor));
      MonitorNatives.destroyRawMonitor(env, monitor);
      Reference.reachabilityFence(owner);
    };
  }

  private static boolean takesAnEnvironment(Method method) {
    return Modifier.isNative(method.getModifiers())
        && row(method).filter(row -> row.get("parameters").matches("env\\b.*")).isPresent();
  }

  private static Optional<Map<String, String>> row(Method method) {
    return Spec.rows("natives").stream()
        .filter(row -> row.get("name").equals(method.getName()))
        .findFirst();
  }

  /** The JVM may refuse it: without a capability, or because another thread does the same. */
  private static void invoke(Method method, long env, Thread thread) {
    Map<Class<?>, Object> arguments =
        Map.of(
            long.class,
            number(method),
            int.class,
            1,
            boolean.class,
            false,
            Object.class,
            thread,
            Class.class,
            Calls.class,
            Thread.class,
            thread,
            Thread[].class,
            new Thread[] {thread},
            ThreadGroup.class,
            Thread.currentThread().getThreadGroup(),
            long[].class,
            new long[] {42});
    Object[] values =
        Arrays.stream(method.getParameterTypes())
            .map(type -> arguments.containsKey(type) ? arguments.get(type) : good(type))
            .toArray();
    values[0] = env;
    try {
      method.invoke(null, values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalStateException closed) {
        throw closed;
      }
      assertThat(e.getCause()).isInstanceOf(JvmtiException.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** No public function takes numbers in an array. */
  private static Object good(Class<?> type) {
    return type == int[].class ? new int[] {1} : Samples.good(type);
  }

  private static long bit(Capability capability) {
    return 1L << capability.ordinal();
  }

  private static void suspendForATime(long env, Thread[] threads) {
    int[] codes = new int[threads.length];
    SuspensionNatives.whileSuspended(
        env, threads, Long.MAX_VALUE, Bridge.SUSPEND_SOME, codes, () -> {});
  }

  private static void runAgentThread(long env) {
    Thread fresh = new Thread();
    ThreadNatives.runAgentThread(env, fresh, () -> {}, Thread.NORM_PRIORITY);
  }

  /** Natives believe what Java keeps of methods and fields, which is what they have told. */
  private static long number(Method method) {
    String parameters = row(method).orElseThrow().get("parameters");
    return parameters.contains("methodId")
        ? ClassNatives.getClassMethods(GeneralNatives.metadata(), Calls.class)[0]
        : parameters.contains("fieldId")
            ? ClassNatives.getClassFields(GeneralNatives.metadata(), Calls.class)[0]
            : 1L;
  }
}
