package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.Provocation.numberRefused;

import io.jvmtools.internal.objects.HeapNatives;
import java.util.List;

/** Tags. */
final class HeapErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        numberRefused(
            "GetObjectsWithTags",
            ILLEGAL_ARGUMENT,
            "the tag 0",
            "A tag is any number but 0",
            jvmti -> jvmti.objects().withTags(1, 0),
            new DirectAnswer(
                "NONE", env -> HeapNatives.getObjectsWithTags(env, new long[] {1, 0}))));
  }
}
