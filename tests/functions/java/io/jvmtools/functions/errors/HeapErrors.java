package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.numberRefused;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.internal.object.HeapNatives;
import java.util.List;

/** Tags. */
final class HeapErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        nullRefused(
            "GetTag",
            INVALID_OBJECT,
            "object",
            jvmti -> jvmti.objects().tag(null),
            new DirectAnswer(INVALID_OBJECT, env -> HeapNatives.getTag(env, null))),
        withoutCapability("GetTag", jvmti -> jvmti.objects().tag(new Object())),
        nullRefused(
            "SetTag",
            INVALID_OBJECT,
            "object",
            jvmti -> jvmti.objects().setTag(null, 1),
            new DirectAnswer(INVALID_OBJECT, env -> HeapNatives.setTag(env, null, 1))),
        withoutCapability("SetTag", jvmti -> jvmti.objects().setTag(new Object(), 1)),
        nullRefused(
            "GetObjectsWithTags",
            NULL_POINTER,
            "tags",
            jvmti -> jvmti.objects().withTags((long[]) null)),
        numberRefused(
            "GetObjectsWithTags",
            ILLEGAL_ARGUMENT,
            "the tag 0",
            "A tag is any number but 0",
            jvmti -> jvmti.objects().withTags(1, 0),
            new DirectAnswer(
                "NONE", env -> HeapNatives.getObjectsWithTags(env, new long[] {1, 0}))),
        withoutCapability("GetObjectsWithTags", jvmti -> jvmti.objects().withTags(1)));
  }
}
