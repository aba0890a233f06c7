package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import io.jvmtools.support.Spec;
import io.jvmtools.system.ExtensionEvent;
import io.jvmtools.system.ExtensionFunction;
import io.jvmtools.system.ExtensionParameter;
import io.jvmtools.system.ParameterKind;
import io.jvmtools.system.ParameterType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** GetExtensionFunctions, GetExtensionEvents, and what HotSpot is known to have. */
class ExtensionsTest {

  private static final String FUNCTIONS = "com.sun.hotspot.functions.";
  private static final String EVENTS = "com.sun.hotspot.events.";
  private static final String VIRTUAL = "virtual threads came with JDK 21";

  @Test
  void functionsAreThoseOfHotSpotWithWhatTheyTake() {
    List<String> known = new ArrayList<>(List.of(FUNCTIONS + "IsClassUnloadingEnabled"));
    if (Installation.feature() >= 21) {
      known.add(FUNCTIONS + "GetVirtualThread");
      known.add(FUNCTIONS + "GetCarrierThread");
    }
    List<ExtensionFunction> functions = JvmTools.getExtensionFunctions();
    assertThat(functions).extracting(ExtensionFunction::id).containsAll(known);
    assertThat(functions.get(0))
        .hasToString(
            FUNCTIONS
                + "IsClassUnloadingEnabled[OUT JBOOLEAN IsClassUnloadingEnabled]: Tell if class"
                + " unloading is enabled (-noclassgc)");
    assertThat(functions.get(0).errors()).isEmpty();
    for (ExtensionFunction function : functions.subList(1, known.size())) {
      assertThat(function.errors())
          .extracting(JvmtiError::name)
          .containsExactly("JVMTI_ERROR_MUST_POSSESS_CAPABILITY", "JVMTI_ERROR_INVALID_THREAD");
      assertThat(function.parameters())
          .extracting(parameter -> parameter.kind() + " " + parameter.type())
          .containsExactly("IN JTHREAD", "OUT JTHREAD");
    }
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.extensions().functions()).isEqualTo(functions).isUnmodifiable();
    }
  }

  @Test
  void eventsAreThoseOfHotSpotWithWhatTheyTell() {
    List<ExtensionEvent> events = JvmTools.getExtensionEvents();
    assertThat(events).extracting(ExtensionEvent::id).contains(EVENTS + "ClassUnload");
    if (Installation.feature() >= 21) {
      assertThat(events)
          .extracting(ExtensionEvent::id)
          .contains(EVENTS + "VirtualThreadMount", EVENTS + "VirtualThreadUnmount");
    }
    assertThat(events).extracting(ExtensionEvent::number).doesNotHaveDuplicates();
    assertThat(events.get(0).toString())
        .endsWith(
            EVENTS
                + "ClassUnload[IN_PTR JNIENV JNI Environment, IN_PTR CCHAR Class]: CLASS_UNLOAD"
                + " event");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.extensions().events()).isEqualTo(events).isUnmodifiable();
    }
  }

  /** By the way of the values: what the JVM answers is what their constants stand for. */
  @Test
  void kindsAndTypesAreThoseOfTheTable() {
    assertThat(names(ParameterKind.values())).isEqualTo(constants("jvmtiParamKind", "JVMTI_KIND_"));
    assertThat(names(ParameterType.values()))
        .isEqualTo(constants("jvmtiParamTypes", "JVMTI_TYPE_"));
  }

  private static List<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).filter(name -> !name.equals("UNKNOWN")).toList();
  }

  /** In the order of their numbers, which have no gap. */
  private static List<String> constants(String group, String prefix) {
    List<String> names = new ArrayList<>();
    int next = -1;
    for (var row : Spec.rows("constants")) {
      if (row.get("group").equals(group)) {
        int number = Integer.parseInt(row.get("value"));
        assertThat(number).isEqualTo(next < 0 ? number : next);
        next = number + 1;
        names.add(row.get("name").replace(prefix, ""));
      }
    }
    return names;
  }

  @Test
  void valuesCopyTheirListsAndRefuseNull() {
    ExtensionParameter parameter =
        new ExtensionParameter("name", ParameterKind.UNKNOWN, ParameterType.UNKNOWN, true);
    assertThat(parameter).hasToString("UNKNOWN UNKNOWN name or null");
    List<ExtensionParameter> one = new ArrayList<>(List.of(parameter));
    ExtensionEvent event = new ExtensionEvent(7, "a.B", "tells", one);
    one.clear();
    assertThat(event).hasToString("7 a.B[UNKNOWN UNKNOWN name or null]: tells");
    assertThatNullPointerException()
        .isThrownBy(() -> new ExtensionFunction("a.B", "does", List.of(), null))
        .withMessage("errors");
  }

  @Test
  void classUnloadingIsWhatTheOptionSays() {
    assertUnloading();
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void classUnloadingMayBeForbidden() {
    ChildJvm.of(WithoutUnloading.class).jvmArgs("-XX:-ClassUnloading").run().succeeds();
  }

  static final class WithoutUnloading {
    public static void main(String[] args) {
      assertThat(assertUnloading()).isFalse();
    }
  }

  private static boolean assertUnloading() {
    HotSpotDiagnosticMXBean bean =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    boolean expected = Boolean.parseBoolean(bean.getVMOption("ClassUnloading").getValue());
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.extensions().isClassUnloadingEnabled()).isEqualTo(expected);
    }
    return expected;
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = VIRTUAL)
  void carrierAndVirtualThreadNameEachOther() {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    Thread virtual =
        VirtualThreads.start(
            "spins",
            () -> {
              ran.complete(Thread.currentThread());
              while (!over.get()) {
                Thread.onSpinWait();
              }
            });
    ran.join();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUPPORT_VIRTUAL_THREADS)) {
      Thread carrier = jvmti.extensions().carrierThread(virtual).orElseThrow();
      assertThat(virtual.toString()).endsWith("@" + carrier.getName());
      assertThat(jvmti.extensions().virtualThread(carrier)).containsSame(virtual);
      assertThat(jvmti.extensions().virtualThread(Thread.currentThread())).isEmpty();
    } finally {
      over.set(true);
    }
    Eventually.isTrue("it has ended", () -> !virtual.isAlive());
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.extensions().carrierThread(virtual)).isEmpty();
      assertThat(jvmti.extensions().carrierThread(VirtualThreads.unstarted("new"))).isEmpty();
      try (Parked parked = Parked.virtual()) {
        assertThat(jvmti.extensions().carrierThread(parked.thread())).isEmpty();
      }
    }
  }

  /** Whoever asks stays where it is. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = VIRTUAL)
  void aVirtualThreadFindsItself() {
    CompletableFuture<Optional<Thread>> found = new CompletableFuture<>();
    Thread virtual =
        VirtualThreads.start(
            "asks",
            () -> {
              try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUPPORT_VIRTUAL_THREADS)) {
                Thread self = Thread.currentThread();
                Thread carrier = jvmti.extensions().carrierThread(self).orElseThrow();
                found.complete(jvmti.extensions().virtualThread(carrier));
              } catch (RuntimeException failure) {
                found.completeExceptionally(failure);
              }
            });
    assertThat(found.join()).containsSame(virtual);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = VIRTUAL)
  void virtualThreadNeedsItsCapabilityAndALiveThread() {
    try (Jvmti jvmti = Jvmti.open()) {
      Thread self = Thread.currentThread();
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(() -> jvmti.extensions().virtualThread(self))
          .satisfies(
              e -> assertThat(e.capability()).isEqualTo(Capability.CAN_SUPPORT_VIRTUAL_THREADS));
      jvmti.add(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
      for (Thread thread : new Thread[] {Parked.ended(), Parked.unstarted()}) {
        assertThatExceptionOfType(ThreadNotAliveException.class)
            .isThrownBy(() -> jvmti.extensions().virtualThread(thread))
            .withMessageContaining(thread.getName());
      }
      try (Parked virtual = Parked.virtual()) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> jvmti.extensions().virtualThread(virtual.thread()))
            .withMessageStartingWith("thread: ");
      }
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "from 21 on it is there")
  void whatTheJvmLacksIsNotSupported() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatExceptionOfType(NotSupportedException.class)
          .isThrownBy(() -> jvmti.extensions().virtualThread(Thread.currentThread()));
    }
  }

  @Test
  void aPlatformThreadHasNoCarrierAndNullIsNamed() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.extensions().carrierThread(Thread.currentThread()))
          .withMessageStartingWith("thread: ");
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.extensions().carrierThread(null))
          .withMessage("thread");
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.extensions().virtualThread(null))
          .withMessage("thread");
    }
  }

  @Test
  void aClosedEnvironmentHasNoExtensions() {
    Jvmti jvmti = Jvmti.open();
    jvmti.close();
    Thread self = Thread.currentThread();
    assertThatIllegalStateException().isThrownBy(() -> jvmti.extensions().functions());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.extensions().events());
    assertThatIllegalStateException()
        .isThrownBy(() -> jvmti.extensions().isClassUnloadingEnabled());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.extensions().virtualThread(self));
  }
}
