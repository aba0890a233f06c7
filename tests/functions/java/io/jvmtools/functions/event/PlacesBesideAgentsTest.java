package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.JavaAgentJar;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breakpoints in classes that another agent changes meanwhile. */
@Tag(UnderTheAgentTest.ONCE)
class PlacesBesideAgentsTest {

  private static void run(Path folder, Class<?> program, String last) {
    Path agent = JavaAgentJar.write(folder.resolve("beside.jar"), Agent.class);
    ChildJvm.of(program)
        .agent("prepare=debugging")
        .jvmArgs("-javaagent:" + agent)
        .run()
        .succeeds()
        .out()
        .contains(last);
  }

  /** Another agent, which makes the same of classes once more. */
  static final class Agent {

    private static Instrumentation instrumentation;

    private Agent() {}

    public static void premain(String options, Instrumentation given) {
      instrumentation = given;
    }

    /** Everybody has been told of the first one when it is asked about the second. */
    static void retransform(Class<?> first, Class<?> second, Runnable inTheMiddle)
        throws Exception {
      ClassFileTransformer copy =
          new ClassFileTransformer() {
            @Override
            public byte[] transform(
                ClassLoader loader,
                String name,
                Class<?> changed,
                ProtectionDomain domain,
                byte[] file) {
              if (changed == second) {
                inTheMiddle.run();
              }
              return changed == first || changed == second ? file.clone() : null;
            }
          };
      instrumentation.addTransformer(copy, true);
      try {
        instrumentation.retransformClasses(first, second);
      } finally {
        instrumentation.removeTransformer(copy);
      }
    }
  }

  /** What is changed with the class that has places. */
  private static final class Second {}

  @Test
  void aPlaceIsThereAgainAfterAnotherAgentHasRedefinedTheClass(@TempDir Path folder) {
    run(folder, Redefined.class, "there again");
  }

  /** What the child runs. */
  static final class Redefined {

    private Redefined() {}

    public static void main(String[] args) throws Exception {
      AtomicInteger hits = new AtomicInteger();
      Relay relay = new Relay(() -> {});
      CodePlace place = CodePlace.entry(Relay.class.getName(), "pass");
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_RETRANSFORM_CLASSES);
          PlaceSubscription here = jvmti.events().at(place, frame -> hits.incrementAndGet())) {
        relay.run();
        assertThat(hits).hasValue(1);
        byte[] file = ClassFiles.of(Relay.class);
        Agent.instrumentation.redefineClasses(new ClassDefinition(Relay.class, file));
        Eventually.isTrue("the place is there again", () -> isTold(relay, hits));
        assertThat(here.breakpoints()).hasSize(1);
      }
      System.out.println("there again");
    }
  }

  @Test
  void nobodySetsABreakpointInTheMiddle(@TempDir Path folder) {
    run(folder, InTheMiddle.class, "set afterwards");
  }

  /** What the child runs. */
  static final class InTheMiddle {

    private InTheMiddle() {}

    public static void main(String[] args) throws Exception {
      AtomicInteger hits = new AtomicInteger();
      AtomicInteger own = new AtomicInteger();
      AtomicBoolean waits = new AtomicBoolean();
      String name = Relay.class.getName();
      Relay relay = new Relay(() -> {});
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_RETRANSFORM_CLASSES);
          PlaceSubscription here =
              jvmti.events().at(CodePlace.entry(name, "pass"), frame -> hits.incrementAndGet());
          Subscription all =
              jvmti
                  .events()
                  .on(
                      EventTypes.BREAKPOINT,
                      EventFilter.ANY.classes(name),
                      event -> own.addAndGet(event.method().name().equals("run") ? 1 : 0))) {
        JvmMethod run = run(jvmti);
        Thread sets = new Thread(() -> jvmti.breakpoints().set(run, 0));
        Agent.retransform(Relay.class, Second.class, () -> waits.set(startsAndWaits(sets)));
        assertThat(waits).isTrue();
        sets.join();
        Eventually.isTrue("the place is there again", () -> isTold(relay, hits));
        relay.run();
        assertThat(own).hasPositiveValue();
        assertThat(here.breakpoints()).hasSize(1);
        assertThat(all.counts().failed()).isZero();
      }
      System.out.println("set afterwards");
    }

    /** For far more time than it would take otherwise. */
    private static boolean startsAndWaits(Thread thread) {
      thread.start();
      try {
        thread.join(TimeUnit.SECONDS.toMillis(1));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return thread.isAlive();
    }
  }

  private static JvmMethod run(Jvmti jvmti) {
    return jvmti.classes().methods(Relay.class).stream()
        .filter(method -> method.name().equals("run"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void norWhileTheJvmEnds(@TempDir Path folder) {
    run(folder, AtTheEnd.class, "refused");
  }

  /** What the child runs. */
  static final class AtTheEnd {

    private AtTheEnd() {}

    public static void main(String[] args) {
      new Relay(() -> {}).run();
      Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_RETRANSFORM_CLASSES);
      jvmti.events().at(CodePlace.entry(Relay.class.getName(), "pass"), frame -> {});
      JvmMethod run = run(jvmti);
      jvmti
          .events()
          .on(EventTypes.VM_DEATH, event -> changes(() -> set(jvmti, run)))
          .onError(Throwable::printStackTrace);
    }

    /** On 25 the other agent is not asked any more, and there is no middle. */
    private static void changes(Runnable set) {
      try {
        Agent.retransform(Relay.class, Second.class, set);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      set.run();
    }

    private static void set(Jvmti jvmti, JvmMethod run) {
      try {
        jvmti.breakpoints().set(run, 0);
        System.out.println("set");
      } catch (WrongPhaseException ending) {
        System.out.println("refused");
      }
    }
  }

  @Test
  void manyPlacesAreFollowedByOneThread(@TempDir Path folder) {
    run(folder, Many.class, "all there again");
  }

  /** What the child runs. */
  static final class Many {

    private static final int PLACES = 40;

    private Many() {}

    public static void main(String[] args) throws Exception {
      AtomicInteger hits = new AtomicInteger();
      CodePlace place = CodePlace.entry(Relay.class.getName(), "pass");
      Relay relay = new Relay(() -> {});
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_RETRANSFORM_CLASSES)) {
        for (int i = 0; i < PLACES; i++) {
          jvmti.events().at(place, frame -> hits.incrementAndGet());
        }
        Agent.retransform(Relay.class, Second.class, () -> {});
        Eventually.isTrue("all places are there again", () -> areTold(relay, hits));
      }
      System.out.println("all there again");
    }

    private static boolean areTold(Relay relay, AtomicInteger hits) {
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("jvmtools-places"))
              .count();
      assertThat(threads).isLessThanOrEqualTo(1);
      hits.set(0);
      relay.run();
      return hits.get() == PLACES;
    }
  }

  private static boolean isTold(Relay relay, AtomicInteger hits) {
    int before = hits.get();
    relay.run();
    return hits.get() > before;
  }

  @Test
  void anAgentMayChangeTheClassAgainAndAgain(@TempDir Path folder) {
    run(folder, AgainAndAgain.class, "still there");
  }

  /** What the child runs. */
  static final class AgainAndAgain {

    private static final long LONG = TimeUnit.SECONDS.toNanos(3);

    private AgainAndAgain() {}

    public static void main(String[] args) throws Exception {
      AtomicInteger hits = new AtomicInteger();
      String name = Relay.class.getName();
      Relay relay = new Relay(() -> {});
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_RETRANSFORM_CLASSES);
          PlaceSubscription pass =
              jvmti.events().at(CodePlace.entry(name, "pass"), frame -> hits.incrementAndGet());
          PlaceSubscription run = jvmti.events().at(CodePlace.entry(name, "run"), frame -> {})) {
        long end = System.nanoTime() + LONG;
        while (System.nanoTime() < end) {
          Agent.retransform(Relay.class, Second.class, () -> {});
          relay.run();
        }
        Eventually.isTrue("the place is there again", () -> isTold(relay, hits));
        assertThat(pass.counts().failed() + run.counts().failed()).isZero();
      }
      System.out.println("still there");
    }
  }
}
