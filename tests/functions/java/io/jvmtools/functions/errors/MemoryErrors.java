package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.Provocation.numberRefused;

import io.jvmtools.internal.system.MemoryNatives;
import java.util.List;

/** Memory. */
final class MemoryErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        numberRefused(
            "Allocate",
            ILLEGAL_ARGUMENT,
            "a negative number",
            "bytes: -1",
            jvmti -> jvmti.memory().allocate(-1),
            new DirectAnswer(
                ILLEGAL_ARGUMENT, env -> MemoryNatives.allocate(env, -1, Long.MAX_VALUE))));
  }

  @Override
  public List<Impossible> impossible() {
    return Impossible.impossible(
        ErrorNames.OUT_OF_MEMORY,
        "More than a part of the heap's size is refused before the JVM is asked; MemoryTest shows"
            + " the OutOfMemoryError.",
        "Allocate");
  }
}
