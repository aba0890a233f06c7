package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.internal.object.ObjectNatives;
import java.util.List;

/** Objects. */
final class ObjectErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        nullRefused(
            "GetObjectSize",
            INVALID_OBJECT,
            "object",
            jvmti -> jvmti.objects().size(null),
            new DirectAnswer(INVALID_OBJECT, env -> ObjectNatives.getObjectSize(env, null))),
        nullRefused(
            "GetObjectHashCode",
            INVALID_OBJECT,
            "object",
            jvmti -> jvmti.objects().identityHash(null),
            new DirectAnswer(INVALID_OBJECT, env -> ObjectNatives.getObjectHashCode(env, null))),
        nullRefused(
            "GetObjectMonitorUsage",
            INVALID_OBJECT,
            "object",
            jvmti -> jvmti.objects().monitorUsage(null),
            new DirectAnswer(
                INVALID_OBJECT, env -> ObjectNatives.getObjectMonitorUsage(env, null))),
        withoutCapability(
            "GetObjectMonitorUsage", jvmti -> jvmti.objects().monitorUsage(new Object())));
  }
}
