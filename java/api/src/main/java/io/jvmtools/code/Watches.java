package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.BreakpointNatives;
import io.jvmtools.internal.code.WatchFacts;
import io.jvmtools.internal.environment.Environment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Watched fields: those of which the JVM tells whenever code reads or writes them.
 *
 * <p>To watch reads needs {@link Capability#CAN_GENERATE_FIELD_ACCESS_EVENTS}, to watch writes
 * {@link Capability#CAN_GENERATE_FIELD_MODIFICATION_EVENTS}. Only one environment can hold each at
 * a time, and they can be had only with the agent: {@code
 * -agentpath:…=prepare=can_generate_field_access_events+can_generate_field_modification_events}.
 *
 * <p>A watch is one of the JVM, not of an environment: a field is watched once at most, whoever has
 * asked for it, and anybody can end that who holds the capability. What this environment has asked
 * for ends when it is closed, and when it gives up the capability. What reflection, {@code
 * VarHandle} or JNI read and write need not be told. Unlike breakpoints, watches outlast a
 * redefinition of the class, and do not keep it loaded.
 */
public final class Watches {

  static {
    Makers.register(
        Watches.class,
        new Maker<Environment, Watches>() {
          @Override
          public Watches make(Environment environment) {
            return new Watches(environment);
          }
        });
  }

  private final Environment environment;

  Watches(Environment environment) {
    this.environment = environment;
  }

  /**
   * Has the JVM tell of the reads of a field. Needs {@link
   * Capability#CAN_GENERATE_FIELD_ACCESS_EVENTS}.
   *
   * @param field any field
   * @throws JvmtiException with the code 40 if they are watched already
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetFieldAccessWatch")
  public void setReads(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("SetFieldAccessWatch");
    BreakpointNatives.setFieldAccessWatch(environment.handle(), type, field.id());
    environment.keep();
  }

  /**
   * Ends the watch of the reads of a field, whoever has asked for it. Needs {@link
   * Capability#CAN_GENERATE_FIELD_ACCESS_EVENTS}.
   *
   * @param field any field
   * @throws JvmtiException with the code 41 if they are not watched
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ClearFieldAccessWatch")
  public void clearReads(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("ClearFieldAccessWatch");
    BreakpointNatives.clearFieldAccessWatch(environment.handle(), type, field.id());
    environment.keep();
  }

  /**
   * The fields whose reads this environment watches. Needs no capability.
   *
   * @return an unmodifiable list, in the order in which it has asked for them
   * @throws IllegalStateException if the environment is closed
   */
  public List<JvmField> allReads() {
    return all(false);
  }

  /**
   * Has the JVM tell of the writes of a field. Needs {@link
   * Capability#CAN_GENERATE_FIELD_MODIFICATION_EVENTS}.
   *
   * @param field any field
   * @throws JvmtiException with the code 40 if they are watched already
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetFieldModificationWatch")
  public void setWrites(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("SetFieldModificationWatch");
    BreakpointNatives.setFieldModificationWatch(environment.handle(), type, field.id());
    environment.keep();
  }

  /**
   * Ends the watch of the writes of a field, whoever has asked for it. Needs {@link
   * Capability#CAN_GENERATE_FIELD_MODIFICATION_EVENTS}.
   *
   * @param field any field
   * @throws JvmtiException with the code 41 if they are not watched
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ClearFieldModificationWatch")
  public void clearWrites(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("ClearFieldModificationWatch");
    BreakpointNatives.clearFieldModificationWatch(environment.handle(), type, field.id());
    environment.keep();
  }

  /**
   * The fields whose writes this environment watches. Needs no capability.
   *
   * @return an unmodifiable list, in the order in which it has asked for them
   * @throws IllegalStateException if the environment is closed
   */
  public List<JvmField> allWrites() {
    return all(true);
  }

  private List<JvmField> all(boolean modification) {
    WatchFacts facts =
        (WatchFacts)
            environment.keep(BreakpointNatives.watches(environment.handle(), modification));
    List<JvmField> all = new ArrayList<>();
    for (int i = 0; i < facts.fieldIds().length; i++) {
      Collections.addAll(all, JvmField.of(facts.classes()[i], new long[] {facts.fieldIds()[i]}));
    }
    return Collections.unmodifiableList(all);
  }
}
