package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.internal.environment.GeneralNatives;
import java.util.List;

/** General functions. */
final class GeneralErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
            "GetErrorName",
            ILLEGAL_ARGUMENT,
            "a number that no error has",
            jvmti -> jvmti.errorName(9999)));
  }

  @Override
  public List<Impossible> impossible() {
    return List.of(
        Impossible.impossible(
            ILLEGAL_ARGUMENT,
            "The flag is an enum of those that the JVM knows.",
            "SetVerboseFlag",
            new DirectAnswer(
                ILLEGAL_ARGUMENT, env -> GeneralNatives.setVerboseFlag(env, 99, true))));
  }
}
