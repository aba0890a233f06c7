package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.ErrorNames.CLASS_NOT_PREPARED;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.support.SourceMapped;
import java.util.List;

/** Classes. */
final class ClassErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
            "GetImplementedInterfaces",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().implementedInterfaces(SourceMapped.type("Unlinked", ""))),
        nullRefused(
            "GetImplementedInterfaces",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().implementedInterfaces(null),
            new DirectAnswer(
                INVALID_CLASS, env -> ClassNatives.getImplementedInterfaces(env, null))),
        answeredAsEmpty(
            "GetSourceDebugExtension",
            ABSENT_INFORMATION,
            "a class whose file has none",
            jvmti -> jvmti.classes().sourceDebugExtension(String.class)),
        nullRefused(
            "GetSourceDebugExtension",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().sourceDebugExtension(null),
            new DirectAnswer(
                INVALID_CLASS, env -> ClassNatives.getSourceDebugExtension(env, null))),
        withoutCapability(
            "GetSourceDebugExtension", jvmti -> jvmti.classes().sourceDebugExtension(String.class)),
        nullRefused(
            "IsModifiableClass",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().isModifiable(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.isModifiableClass(env, null))));
  }
}
