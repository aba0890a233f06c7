package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The JVM does not make of classes what it was to make of them: the classes stay as they were, all
 * of those that were named in the call.
 *
 * <p>{@link #reason()} is what the JVM says, and {@link #objections()} what was found to it in the
 * class files.
 */
public final class RedefinitionException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  private static final String PREFIX = "JVMTI_ERROR_";

  /** What the JVM objects to. Each is called like its error in {@code jvmti.h}. */
  public enum Reason {
    /** The class can never be redefined: it is primitive, an array, hidden, or the JVM's own. */
    UNMODIFIABLE_CLASS("it can never be redefined"),
    /** The module of the class can never be changed; no JVM is known that says so. */
    UNMODIFIABLE_MODULE("its module can never be changed"),
    /** The initialisation of the class has failed. */
    INVALID_CLASS("its initialisation has failed"),
    /** The bytes are no class file. */
    INVALID_CLASS_FORMAT("the bytes are no class file"),
    /** The class file is of a version that this JVM does not know. */
    UNSUPPORTED_VERSION("the class file is of a version that this JVM does not know"),
    /** The class file is of another class. */
    NAMES_DONT_MATCH("the class file is of another class"),
    /** The class would be its own superclass. */
    CIRCULAR_CLASS_DEFINITION("the class would be its own superclass"),
    /** The bytecodes are such as the JVM does not run. */
    FAILS_VERIFICATION("the verifier does not accept the bytecodes"),
    /** There is a method more. */
    UNSUPPORTED_REDEFINITION_METHOD_ADDED("a method would be added"),
    /** There is a method less. */
    UNSUPPORTED_REDEFINITION_METHOD_DELETED("a method would be deleted"),
    /** There are other fields, or they are otherwise declared or ordered. */
    UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED("the fields would be others"),
    /** There is another superclass, or there are other interfaces. */
    UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED("the superclass or interfaces would be others"),
    /** The class has other flags: it would be final, for example. */
    UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED("the flags of the class would be others"),
    /** A method has other flags: it would be static, for example. */
    UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED("the flags of a method would be others"),
    /** Its nest, its record components or its permitted subclasses are others. */
    UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED(
        "the nest, the record components or the permitted subclasses would be others");

    private final String meaning;

    Reason(String meaning) {
      this.meaning = meaning;
    }

    /**
     * The reason for which an error stands.
     *
     * @param error any error
     * @return the reason; empty if the error is about something else than classes that change
     */
    public static Optional<Reason> of(JvmtiError error) {
      String name = requireNonNull(error, "error").name();
      return Arrays.stream(values()).filter(one -> name.equals(PREFIX + one.name())).findFirst();
    }
  }

  /** What the JVM says. */
  private final Reason reason;

  /** What was found to it. */
  private final String[] objections;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param reason what that means
   * @param objections what was found to it; may be empty
   */
  public RedefinitionException(
      String function, JvmtiError error, Reason reason, List<String> objections) {
    super(function, error, explanation(reason, Lists.copyOf(objections, "objections")));
    this.reason = reason;
    this.objections = objections.toArray(String[]::new);
  }

  private static String explanation(Reason reason, List<String> objections) {
    String meaning = requireNonNull(reason, "reason").meaning;
    return objections.isEmpty() ? meaning : meaning + ": " + String.join(", ", objections);
  }

  /**
   * What the JVM objects to.
   *
   * @return the reason
   */
  public Reason reason() {
    return reason;
  }

  /**
   * What was found to it, as the JVM says no more: the methods that would be added or deleted, for
   * example, or the names of the classes of which it could be true. All of it stands in the
   * message, too.
   *
   * @return an unmodifiable list, empty if nothing was found
   */
  public List<String> objections() {
    return List.of(objections);
  }
}
