package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_MONITOR_EVENTS;
import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.event.EventTypes.CLASS_FILE_LOAD_HOOK;
import static io.jvmtools.event.EventTypes.COMPILED_METHOD_LOAD;
import static io.jvmtools.event.EventTypes.MONITOR_CONTENDED_ENTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.functions.OnlyUnderTheAgent;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Somebody begins to listen while another thread gives back the capability that it takes. */
class GivenBackTest {

  private static final int ROUNDS = 500;

  private static final EventFilter NOTHING = EventFilter.ANY.classes(GivenBackTest.class);

  @Test
  void whichCapabilityIsMissingIsSaid() throws InterruptedException {
    whileItIsGivenBack(
        CAN_GENERATE_MONITOR_EVENTS,
        jvmti -> jvmti.events().on(MONITOR_CONTENDED_ENTER, NOTHING, event -> {}).close());
    whileItIsGivenBack(
        CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS,
        jvmti -> jvmti.events().generate(COMPILED_METHOD_LOAD));
  }

  /** HotSpot tells of class files without it, and then the environment would never get it again. */
  @Test
  void thatOfClassFilesCanBeHadAgain() throws InterruptedException {
    whileItIsGivenBack(
        CAN_RETRANSFORM_CLASSES,
        jvmti -> jvmti.events().on(CLASS_FILE_LOAD_HOOK, NOTHING, event -> {}).close());
  }

  @Test
  @OnlyUnderTheAgent
  void placesDoWithoutThatOfClassFiles() throws InterruptedException {
    CodePlace nowhere = CodePlace.entry(GivenBackTest.class.getName(), "isNotThere");
    whileItIsGivenBack(
        CAN_RETRANSFORM_CLASSES,
        jvmti -> {
          try (PlaceSubscription none = jvmti.events().at(nowhere, frame -> {})) {
            assertThat(none.breakpoints()).isEmpty();
          } catch (MissingCapabilityException missing) {
            throw new AssertionError("at places nobody needs it", missing);
          }
        },
        CAN_GENERATE_BREAKPOINT_EVENTS);
  }

  /** Each time of an environment of its own, which can have it again afterwards. */
  private static void whileItIsGivenBack(
      Capability capability, Consumer<Jvmti> deed, Capability... others)
      throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      try (Jvmti jvmti = Jvmti.open(capability)) {
        jvmti.add(others);
        CountDownLatch begun = new CountDownLatch(1);
        Thread givesBack =
            new Thread(
                () -> {
                  begun.countDown();
                  jvmti.relinquish(capability);
                });
        givesBack.start();
        begun.await();
        try {
          deed.accept(jvmti);
        } catch (MissingCapabilityException missing) {
          assertThat(missing.capability()).isEqualTo(capability);
        }
        givesBack.join();
        jvmti.add(capability);
      }
    }
  }
}
