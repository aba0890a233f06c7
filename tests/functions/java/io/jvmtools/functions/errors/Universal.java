package io.jvmtools.functions.errors;

import java.util.List;

/**
 * An error that any function can answer, whether or not the table lists it for one.
 *
 * @param error its name without the prefix
 * @param statement when Java meets it, and as what
 * @param proof the test of that, as {@code Class.method}; empty where there is nothing to try
 */
public record Universal(String error, String statement, String proof) {

  /** All of them. */
  public static List<Universal> errors() {
    return List.of(
        new Universal(
            "INVALID_ENVIRONMENT",
            "A closed environment is an IllegalStateException before the JVM is asked.",
            "JvmtiTest.functionOfAClosedEnvironmentIsRefused"),
        new Universal(
            "WRONG_PHASE",
            "Java runs in the live phase. A thread that still calls while the JVM dies gets a"
                + " WrongPhaseException.",
            "ShutdownTest.daemonThreadsThatCallWhileTheJvmEndsDoNoHarm"),
        new Universal(
            "OUT_OF_MEMORY",
            "An OutOfMemoryError. To use up the native memory of the machine is no test, so only"
                + " the translation is tried.",
            "FailuresTest.aPanicIsAnInternalErrorAndNoMemoryAnOutOfMemoryError"),
        new Universal(
            "NOT_AVAILABLE",
            "A function that is newer than the JVM is a NotSupportedException.",
            "SuspendTest.withoutVirtualThreadsTheyCannotBeSuspended"),
        new Universal(
            "UNATTACHED_THREAD",
            "A thread that runs Java is attached, so none of them meets it.",
            ""),
        new Universal(
            "ACCESS_DENIED",
            "No call from Java is known to provoke it. It would be a JvmtiException with its code.",
            "FailuresTest.aCodeBecomesItsException"),
        new Universal(
            "INTERNAL",
            "It stands for a fault of the JVM. It would be a JvmtiException with its code.",
            "FailuresTest.aCodeBecomesItsException"));
  }
}
