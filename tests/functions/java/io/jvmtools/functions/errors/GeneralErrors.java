package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.Errors.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.Errors.NULL_POINTER;
import static io.jvmtools.functions.errors.Impossible.OWN_MEMORY;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.internal.environment.GeneralNatives;
import java.util.List;

/** General functions. */
final class GeneralErrors {

  private GeneralErrors() {}

  static List<Provocation> provoked() {
    return List.of(
        provoke(
            "GetErrorName",
            ILLEGAL_ARGUMENT,
            "a number that no error has",
            jvmti -> jvmti.errorName(9999)));
  }

  static List<Impossible> impossible() {
    return Impossible.both(
        Impossible.impossible(
            NULL_POINTER,
            OWN_MEMORY,
            "GetVersionNumber",
            "GetErrorName",
            "GetJLocationFormat",
            "GetPhase"),
        List.of(
            Impossible.impossible(
                ILLEGAL_ARGUMENT,
                "The flag is an enum of those that the JVM knows.",
                "SetVerboseFlag",
                new DirectAnswer(
                    ILLEGAL_ARGUMENT, env -> GeneralNatives.setVerboseFlag(env, 99, true)))));
  }
}
