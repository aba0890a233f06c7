package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.ExtensionFacts;
import io.jvmtools.internal.system.ExtensionNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What the JVM has beyond the specification: functions and events, found when it runs. Those that
 * HotSpot is known to have are methods here; of others this is the list.
 */
public final class Extensions {

  static {
    Makers.register(
        Extensions.class,
        new Maker<Environment, Extensions>() {
          @Override
          public Extensions make(Environment environment) {
            return new Extensions(environment);
          }
        });
  }

  /** Kind, type, and whether it may be null. */
  private static final int FACTS = 3;

  private final Environment environment;

  Extensions(Environment environment) {
    this.environment = environment;
  }

  /**
   * The functions that this JVM has beyond the specification. Needs no capability.
   *
   * @return an unmodifiable list in the order of the JVM
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetExtensionFunctions")
  public List<ExtensionFunction> functions() {
    ExtensionFacts facts =
        (ExtensionFacts)
            environment.keep(ExtensionNatives.getExtensionFunctions(environment.handle()));
    List<ExtensionFunction> functions = new ArrayList<>();
    int errors = 0;
    List<List<ExtensionParameter>> parameters = parameters(facts);
    for (int i = 0; i < facts.ids().length; i++) {
      int end = errors + facts.errorCounts()[i];
      List<JvmtiError> own =
          Arrays.stream(facts.errors(), errors, end).mapToObj(JvmtiError::of).toList();
      errors = end;
      functions.add(
          new ExtensionFunction(facts.ids()[i], facts.descriptions()[i], parameters.get(i), own));
    }
    return Collections.unmodifiableList(functions);
  }

  /**
   * The events that this JVM has beyond the specification. Needs no capability.
   *
   * @return an unmodifiable list in the order of the JVM
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetExtensionEvents")
  public List<ExtensionEvent> events() {
    ExtensionFacts facts =
        (ExtensionFacts)
            environment.keep(ExtensionNatives.getExtensionEvents(environment.handle()));
    List<ExtensionEvent> events = new ArrayList<>();
    List<List<ExtensionParameter>> parameters = parameters(facts);
    for (int i = 0; i < facts.ids().length; i++) {
      events.add(
          new ExtensionEvent(
              facts.numbers()[i], facts.ids()[i], facts.descriptions()[i], parameters.get(i)));
    }
    return Collections.unmodifiableList(events);
  }

  /**
   * Whether the JVM unloads classes that cannot be reached: it does, unless {@code
   * -XX:-ClassUnloading} forbids it. The extension function {@code IsClassUnloadingEnabled}; needs
   * no capability.
   *
   * @return whether it does
   * @throws NotSupportedException if the JVM has no such function
   * @throws IllegalStateException if the environment is closed
   */
  public boolean isClassUnloadingEnabled() {
    return environment.keep(ExtensionNatives.isClassUnloadingEnabled(environment.handle()));
  }

  /**
   * The virtual thread that a platform thread carries just now. The extension function {@code
   * GetVirtualThread}, since JDK 21; needs {@link Capability#CAN_SUPPORT_VIRTUAL_THREADS}. No
   * virtual thread is mounted or unmounted meanwhile.
   *
   * @param thread a live platform thread
   * @return the virtual thread, empty if it carries none
   * @throws IllegalArgumentException if the thread is virtual
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the JVM has no such function
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  public Optional<Thread> virtualThread(Thread thread) {
    if (ThreadReferences.isVirtual(requireNonNull(thread, "thread"))) {
      throw new IllegalArgumentException("thread: a virtual one carries none");
    }
    return environment.keep(
        Optional.ofNullable(ExtensionNatives.virtualThread(environment.handle(), thread)));
  }

  /**
   * The platform thread that carries a virtual one just now. What the extension function {@code
   * GetCarrierThread} tells; needs no capability.
   *
   * @param thread a virtual thread
   * @return the platform thread, empty if the virtual one is not mounted
   * @throws IllegalArgumentException if the thread is not virtual
   * @throws IllegalStateException if the environment is closed
   */
  public Optional<Thread> carrierThread(Thread thread) {
    if (!ThreadReferences.isVirtual(requireNonNull(thread, "thread"))) {
      throw new IllegalArgumentException("thread: only a virtual one has a carrier");
    }
    return environment.keep(
        Optional.ofNullable(ExtensionNatives.carrierThread(environment.handle(), thread)));
  }

  /** Those of each function or event. */
  private static List<List<ExtensionParameter>> parameters(ExtensionFacts facts) {
    List<List<ExtensionParameter>> all = new ArrayList<>();
    int next = 0;
    for (int count : facts.parameterCounts()) {
      List<ExtensionParameter> own = new ArrayList<>();
      for (int end = next + count; next < end; next++) {
        int kind = facts.parameterFacts()[FACTS * next];
        int type = facts.parameterFacts()[FACTS * next + 1];
        boolean isNullable = facts.parameterFacts()[FACTS * next + 2] != 0;
        own.add(
            new ExtensionParameter(
                facts.parameterNames()[next],
                ParameterKind.of(kind),
                ParameterType.of(type),
                isNullable));
      }
      all.add(own);
    }
    return all;
  }
}
