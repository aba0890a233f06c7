package io.jvmtools.functions.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import io.jvmtools.support.Sources;
import io.jvmtools.thread.ThreadRole;
import io.jvmtools.thread.Threads;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Whose threads there are, in a JVM that has nobody else's. */
class ThreadRoleTest {

  /** Two of them are named in Java. */
  @Test
  void whateverNativeCodeNamesIsOurs() {
    Pattern named =
        Pattern.compile(
            "(?:Daemon::new\\(|spawn\\(|NAME: &CStr =)\\s*c\"([^\"]+)\"|c\"(jvmtools-[^\"]+)\"");
    Set<String> names = new TreeSet<>();
    for (Path file : Sources.under("native/agent/src", ".rs")) {
      String source = Sources.text(file).split("#\\[cfg\\(test\\)\\]\nmod ", 2)[0];
      named
          .matcher(source)
          .results()
          .forEach(found -> names.add(found.group(found.group(1) == null ? 2 : 1)));
    }
    assertThat(names).contains("jvmtools-steward");
    try (Jvmti jvmti = Jvmti.open()) {
      for (String name : names) {
        Thread called = new Thread(null, () -> {}, name);
        assertThat(jvmti.threads().role(called)).as(name).isEqualTo(ThreadRole.JVMTOOLS);
      }
    }
  }

  @Test
  void whatIsLeftIsTheProgrammersOwn() throws Exception {
    ChildJvm.of(Program.class).run().succeeds();
  }

  @Test
  @EnabledIf(value = "hasFlightRecorder", disabledReason = "this JDK has no module jdk.jfr")
  void whatTheFlightRecorderStartsIsTheJvms() {
    ChildJvm.of(Recorded.class).run().succeeds();
  }

  @Test
  @EnabledIf(value = "hasRemoteCalls", disabledReason = "this JDK has no module java.rmi")
  void whatServesRemoteCallsIsTheJvms() {
    ChildJvm.of(Remote.class).jvmArgs("-Djava.rmi.server.hostname=127.0.0.1").run().succeeds();
  }

  static boolean hasRemoteCalls() {
    return ModuleLayer.boot().findModule("java.rmi").isPresent();
  }

  static boolean hasFlightRecorder() {
    return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
  }

  static final class Recorded {

    public static void main(String... args) throws Exception {
      // The tests are compiled for JDKs without it, too.
      Class<?> recording = Class.forName("jdk.jfr.Recording");
      recording.getMethod("start").invoke(recording.getConstructor().newInstance());
      try (Jvmti jvmti = Jvmti.open()) {
        Threads threads = jvmti.threads();
        Eventually.isTrue(
            "it has its threads",
            () -> threads.all().stream().anyMatch(thread -> thread.getName().startsWith("JFR P")));
        assertThat(threads.all())
            .filteredOn(thread -> thread.getName().startsWith("JFR"))
            .allMatch(thread -> threads.role(thread) == ThreadRole.JVM);
      }
    }
  }

  static final class Remote {

    /** Called through the loopback interface. */
    public interface Called extends java.rmi.Remote {

      String server() throws RemoteException;
    }

    public static void main(String... args) throws Exception {
      Thread[] server = new Thread[1];
      Thread[] started = new Thread[1];
      Called called =
          () -> {
            server[0] = Thread.currentThread();
            started[0] = new Thread(() -> {}, "of the program");
            return server[0].getName();
          };
      Called stub = (Called) UnicastRemoteObject.exportObject(called, 0);
      try (Jvmti jvmti = Jvmti.open()) {
        assertThat(stub.server()).startsWith("RMI TCP Connection");
        assertThat(jvmti.threads().role(server[0])).isEqualTo(ThreadRole.JVM);
        assertThat(started[0].getThreadGroup()).isEqualTo(server[0].getThreadGroup());
        assertThat(jvmti.threads().role(started[0])).isEqualTo(ThreadRole.PROGRAM);
      } finally {
        UnicastRemoteObject.unexportObject(called, true);
      }
    }
  }

  static final class Program {

    public static void main(String... args) throws Exception {
      Cleaner.create();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND);
          Parked parked = Parked.inPark()) {
        Threads threads = jvmti.threads();
        threads.withSuspended(
            parked.thread(), Duration.ofMinutes(1), () -> "both of ours are there");
        if (Parked.hasVirtualThreads()) {
          Thread virtual = VirtualThreads.start("virtual", () -> {});
          virtual.join();
          assertThat(threads.role(virtual)).isEqualTo(ThreadRole.PROGRAM);
        }
        ForkJoinPool.commonPool().submit(() -> "in a worker").get();
        // Before 25 by a thread of its own, from then on by one of the pool.
        CompletableFuture.delayedExecutor(1, TimeUnit.NANOSECONDS, Runnable::run).execute(() -> {});
        Map<ThreadRole, List<String>> named = new EnumMap<>(ThreadRole.class);
        for (Thread thread : threads.all()) {
          List<String> names =
              named.computeIfAbsent(threads.role(thread), none -> new ArrayList<>());
          names.add(thread.getName());
        }
        assertThat(named.get(ThreadRole.PROGRAM))
            .contains("main", parked.thread().getName())
            .allMatch(name -> isOurs(name, parked));
        assertThat(named.get(ThreadRole.JVM))
            .contains("Reference Handler", "Finalizer", "Signal Dispatcher", "Cleaner-0")
            .anyMatch(name -> name.endsWith("elayScheduler"));
        assertThat(named.get(ThreadRole.JVMTOOLS))
            .containsExactlyInAnyOrder("jvmtools-steward", "jvmtools-watchdog");
        assertThat(named.containsKey(ThreadRole.CARRIER)).isEqualTo(Parked.hasVirtualThreads());
        Thread ended = Parked.ended();
        assertThat(threads.role(ended)).isEqualTo(ThreadRole.PROGRAM);
        assertThat(threads.role(Thread.currentThread())).isEqualTo(ThreadRole.PROGRAM);
      }
    }

    private static boolean isOurs(String name, Parked parked) {
      return name.equals("main")
          || name.equals(parked.thread().getName())
          || name.startsWith("ForkJoinPool.commonPool-worker-");
    }
  }
}
