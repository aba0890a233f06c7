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
            "GetClassSignature",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().signature(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassSignature(env, null))),
        nullRefused(
            "GetClassStatus",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().status(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassStatus(env, null))),
        nullRefused(
            "GetSourceFileName",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().sourceFileName(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getSourceFileName(env, null))),
        nullRefused(
            "GetClassModifiers",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().modifiers(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassModifiers(env, null))),
        nullRefused(
            "IsInterface",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().isInterface(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.isInterface(env, null))),
        nullRefused(
            "IsArrayClass",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().isArray(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.isArrayClass(env, null))),
        nullRefused(
            "GetClassLoader",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().loader(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassLoader(env, null))),
        nullRefused(
            "GetClassVersionNumbers",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().version(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassVersionNumbers(env, null))),
        nullRefused(
            "IsModifiableClass",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().isModifiable(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.isModifiableClass(env, null))),
        provoke(
            "GetClassMethods",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().methods(SourceMapped.type("Unlinked", ""))),
        provoke(
            "GetClassFields",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().fields(SourceMapped.type("Unlinked", ""))),
        nullRefused(
            "GetClassMethods",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().methods(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassMethods(env, null))),
        nullRefused(
            "GetClassFields",
            INVALID_CLASS,
            "type",
            jvmti -> jvmti.classes().fields(null),
            new DirectAnswer(INVALID_CLASS, env -> ClassNatives.getClassFields(env, null))),
        answeredAsEmpty(
            "GetSourceFileName",
            ABSENT_INFORMATION,
            "an array",
            jvmti -> jvmti.classes().sourceFileName(int[].class)),
        answeredAsEmpty(
            "GetClassVersionNumbers",
            ABSENT_INFORMATION,
            "an array",
            jvmti -> jvmti.classes().version(int[].class)),
        withoutCapability(
            "GetSourceFileName", jvmti -> jvmti.classes().sourceFileName(String.class)));
  }
}
