package io.jvmtools.functions.event;

import static io.jvmtools.event.EventTypes.CLASS_UNLOAD;
import static io.jvmtools.event.EventTypes.VIRTUAL_THREAD_MOUNT;
import static io.jvmtools.event.EventTypes.VIRTUAL_THREAD_UNMOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.event.ClassUnloadEvent;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Subscription;
import io.jvmtools.event.VirtualThreadMountEvent;
import io.jvmtools.event.VirtualThreadUnmountEvent;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Events that HotSpot has beyond the specification. */
class ExtensionEventsTest {

  /** Defines a hidden class beside itself. */
  public static final class Hides {

    private Hides() {}

    public static Class<?> hidden(byte[] file) throws IllegalAccessException {
      return MethodHandles.lookup().defineHiddenClass(file, false).lookupClass();
    }
  }

  /** What the JDK counts as well. */
  @Test
  void everyClassThatIsUnloadedIsToldByItsName() {
    ChildJvm.of(ClassesUnloaded.class).run().succeeds();
  }

  static final class ClassesUnloaded {

    private static final EventFilter SECOND = EventFilter.ANY.classes("io.jvmtools.*.Second$*+0x1");

    public static void main(String[] args) throws InterruptedException {
      List<ClassUnloadEvent> told = new CopyOnWriteArrayList<>();
      List<ClassUnloadEvent> others = new CopyOnWriteArrayList<>();
      List<ClassUnloadEvent> second = new CopyOnWriteArrayList<>();
      try (Jvmti jvmti = Jvmti.open();
          Jvmti other = Jvmti.open();
          Subscription one = jvmti.events().on(CLASS_UNLOAD, told::add);
          Subscription named = jvmti.events().on(CLASS_UNLOAD, SECOND, second::add)) {
        Subscription theirs = other.events().on(CLASS_UNLOAD, others::add);
        long before = unloaded();
        Instant began = Instant.now();
        List<String> loaded = loadAndForget("First");
        untilToldOf(jvmti, told, loaded);
        assertThat(told).allSatisfy(event -> assertThat(event.time()).isAfterOrEqualTo(began));
        other.events().flush();
        assertThat(others).as("each environment is told").hasSameSizeAs(told);
        theirs.close();
        List<String> more = loadAndForget("Second");
        untilToldOf(jvmti, told, more);
        other.events().flush();
        assertThat(names(others)).as("nobody listens").doesNotContainAnyElementsOf(more);
        Eventually.isTrue(
            "the last one is told",
            () -> {
              jvmti.events().flush();
              return told.size() == unloaded() - before;
            });
        loaded.addAll(more);
        assertThat(names(told))
            .filteredOn(loaded::contains)
            .as("each once")
            .containsExactlyInAnyOrderElementsOf(loaded);
        assertThat(one.counts().failed() + one.counts().lost()).isZero();
        assertThat(names(second))
            .as("who asks for names is told of those")
            .containsExactlyInAnyOrderElementsOf(
                more.stream().filter(name -> name.contains(".Second$")).toList());
        assertThat(named.counts().filtered()).isBetween(1L, (long) told.size() - second.size());
      }
    }

    private static List<String> names(List<ClassUnloadEvent> events) {
      return events.stream().map(ClassUnloadEvent::className).toList();
    }

    private static void untilToldOf(Jvmti jvmti, List<ClassUnloadEvent> told, List<String> loaded) {
      Eventually.isTrue(
          "all are told",
          () -> {
            System.gc();
            jvmti.events().flush();
            return names(told).containsAll(loaded);
          });
    }

    private static long unloaded() {
      return ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount();
    }

    /** The names of classes of some loaders, on a thread of its own: no frame keeps them. */
    private static List<String> loadAndForget(String word) throws InterruptedException {
      List<String> names = new ArrayList<>();
      Thread loads =
          new Thread(
              () -> {
                for (int i = 0; i < 5; i++) {
                  String name = "io.jvmtools.short_lived." + word + "$" + i + "+0x1";
                  names.add(load(name).getName());
                }
                names.add(hide().getName());
              });
      loads.start();
      loads.join();
      return names;
    }

    private static Class<?> load(String name) {
      String relay = Relay.class.getName().replace('.', '/');
      byte[] file = ClassFiles.of(Relay.class);
      file = ClassFiles.renamed(file, Map.of(relay, name.replace('.', '/')));
      return new ClassFiles.Loader("short-lived").relay(file, () -> {}).getClass();
    }

    private static Class<?> hide() {
      byte[] file = ClassFiles.of(Hides.class);
      try {
        Class<?> hides = new Defining().define(file);
        return (Class<?>) hides.getMethod("hidden", byte[].class).invoke(null, file);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Defining extends ClassLoader {
    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadIsMountedAsOftenAsItGoesOn() {
    ChildJvm.of(Parks.class).run().succeeds();
  }

  static final class Parks {

    private static final int TIMES = 20;

    public static void main(String[] args) throws InterruptedException {
      List<VirtualThreadMountEvent> mounts = new CopyOnWriteArrayList<>();
      List<VirtualThreadUnmountEvent> unmounts = new CopyOnWriteArrayList<>();
      try (Jvmti jvmti = Jvmti.open()) {
        // Whoever has to load a class later may wait for another who does, and is unmounted for
        // that, too.
        Thread before =
            VirtualThreads.start(
                "before",
                () -> {
                  carrier(jvmti);
                  LockSupport.park();
                });
        untilItWaits(before);
        Subscription mount = jvmti.events().on(VIRTUAL_THREAD_MOUNT, mounts::add);
        Subscription unmount = jvmti.events().on(VIRTUAL_THREAD_UNMOUNT, unmounts::add);
        LockSupport.unpark(before);
        before.join();
        List<Long> carriers = new ArrayList<>();
        Thread thread =
            VirtualThreads.start(
                "parks",
                () -> {
                  carriers.add(carrier(jvmti));
                  for (int i = 0; i < TIMES; i++) {
                    LockSupport.park();
                    carriers.add(carrier(jvmti));
                  }
                });
        for (int i = 0; i < TIMES; i++) {
          untilItWaits(thread);
          LockSupport.unpark(thread);
        }
        thread.join();
        Eventually.isTrue(
            "its last one is told",
            () -> {
              jvmti.events().flush();
              return of(thread, unmounts).size() > TIMES;
            });
        List<VirtualThreadMountEvent> ours =
            mounts.stream().filter(event -> event.threadId() == thread.getId()).toList();
        List<VirtualThreadUnmountEvent> ends = of(thread, unmounts);
        assertThat(ours).extracting(VirtualThreadMountEvent::carrierId).isEqualTo(carriers);
        assertThat(ends).extracting(VirtualThreadUnmountEvent::carrierId).isEqualTo(carriers);
        for (int i = 0; i < ours.size(); i++) {
          assertThat(ends.get(i).time()).isAfterOrEqualTo(ours.get(i).time());
        }
        assertThat(of(before, unmounts)).as("it was there before anybody listened").hasSize(1);
        assertThat(mount.counts().lost() + unmount.counts().lost()).isZero();
        mount.close();
        mounts.clear();
        VirtualThreads.start("after", () -> {}).join();
        jvmti.events().flush();
        assertThat(mounts).as("nobody listens").isEmpty();
      }
    }

    private static List<VirtualThreadUnmountEvent> of(
        Thread thread, List<VirtualThreadUnmountEvent> unmounts) {
      return unmounts.stream().filter(event -> event.threadId() == thread.getId()).toList();
    }

    private static long carrier(Jvmti jvmti) {
      return jvmti.extensions().carrierThread(Thread.currentThread()).orElseThrow().getId();
    }

    private static void untilItWaits(Thread thread) {
      Eventually.isTrue("it waits", () -> thread.getState() == Thread.State.WAITING);
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "virtual threads came with JDK 21")
  void whereThereIsNoSuchEventNobodyListens() {
    try (Jvmti jvmti = Jvmti.open()) {
      for (EventType<?> type : List.of(VIRTUAL_THREAD_MOUNT, VIRTUAL_THREAD_UNMOUNT)) {
        assertThatExceptionOfType(NotSupportedException.class)
            .isThrownBy(() -> jvmti.events().on(type, event -> {}))
            .withMessageContaining("SetExtensionEventCallback");
      }
    }
  }

  @Test
  void theJvmDoesNotTellThemAgain() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatExceptionOfType(JvmtiException.class)
          .isThrownBy(() -> jvmti.events().generate(CLASS_UNLOAD))
          .withMessageContaining("GenerateEvents")
          .withMessageContaining("ILLEGAL_ARGUMENT");
    }
  }
}
