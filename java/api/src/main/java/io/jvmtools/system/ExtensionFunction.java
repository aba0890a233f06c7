package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiError;
import io.jvmtools.internal.Lists;
import java.util.List;

/**
 * A function that the JVM has beyond the specification. To call one takes code that knows it: what
 * is known of HotSpot's are methods of {@link Extensions}.
 *
 * @param id its name, like that of a class
 * @param description what it does, in the JVM's words
 * @param parameters what it takes after the environment
 * @param errors which errors of its own it may answer
 */
public record ExtensionFunction(
    String id, String description, List<ExtensionParameter> parameters, List<JvmtiError> errors) {

  /**
   * Copies the lists, and refuses what is {@code null}.
   *
   * @param id its name
   * @param description what it does
   * @param parameters what it takes
   * @param errors which errors it may answer
   */
  public ExtensionFunction {
    requireNonNull(id, "id");
    requireNonNull(description, "description");
    parameters = Lists.copyOf(parameters, "parameters");
    errors = Lists.copyOf(errors, "errors");
  }

  /**
   * Name, parameters and description.
   *
   * @return for example {@code "com.sun.hotspot.functions.IsClassUnloadingEnabled[OUT JBOOLEAN
   *     IsClassUnloadingEnabled]: Tell if class unloading is enabled (-noclassgc)"}
   */
  @Override
  public String toString() {
    return id + parameters + ": " + description;
  }
}
