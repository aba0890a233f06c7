package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import java.util.List;

/**
 * An event that the JVM has beyond the specification.
 *
 * @param number with which it is enabled
 * @param id its name, like that of a class
 * @param description what it tells, in the JVM's words
 * @param parameters what a listener in native code gets after the environment
 */
public record ExtensionEvent(
    int number, String id, String description, List<ExtensionParameter> parameters) {

  /**
   * Copies the list, and refuses what is {@code null}.
   *
   * @param number with which it is enabled
   * @param id its name
   * @param description what it tells
   * @param parameters what a listener gets
   */
  public ExtensionEvent {
    requireNonNull(id, "id");
    requireNonNull(description, "description");
    parameters = Lists.copyOf(parameters, "parameters");
  }

  /**
   * Number, name, parameters and description.
   *
   * @return for example {@code "49 com.sun.hotspot.events.ClassUnload[IN_PTR JNIENV JNI
   *     Environment, IN_PTR CCHAR Class]: CLASS_UNLOAD event"}
   */
  @Override
  public String toString() {
    return number + " " + id + parameters + ": " + description;
  }
}
