package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_MODULE;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.UNMODIFIABLE_MODULE;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.functions.OwnModule;
import io.jvmtools.internal.code.ModuleNatives;
import java.util.List;
import java.util.stream.Stream;

/** Of the stem {@code module}. */
final class ModuleErrors implements ErrorRows {

  private static final String ONLY_MODULES =
      "Java's types and the natives' signatures let nothing through that is not a module.";

  private static final String ONLY_LOADERS =
      "Java's types and the natives' signatures let nothing through that is not a class loader.";

  private static final String ALL_ARE_MODIFIABLE =
      "HotSpot knows no module that cannot be changed, and answers this nowhere.";

  private static final Module OWN = OwnModule.named("acme.errors");
  private static final Module OTHER = ModuleErrors.class.getModule();

  @Override
  public List<Provocation> provoked() {
    return List.of(
        nullRefused(
            "GetNamedModule",
            NULL_POINTER,
            "packageName",
            jvmti -> jvmti.modules().ofBootstrapPackage(null),
            new DirectAnswer(NULL_POINTER, env -> ModuleNatives.getNamedModule(env, null, null))),
        nullRefused(
            "AddModuleReads",
            NULL_POINTER,
            "toModule",
            jvmti -> jvmti.modules().addReads(OWN, null),
            new DirectAnswer(NULL_POINTER, env -> ModuleNatives.addModuleReads(env, OWN, null))),
        nullRefused(
            "AddModuleExports",
            NULL_POINTER,
            "toModule",
            jvmti -> jvmti.modules().addExports(OWN, OWN.getName(), null),
            new DirectAnswer(
                NULL_POINTER,
                env -> ModuleNatives.addModuleExports(env, OWN, OWN.getName(), null))),
        nullRefused(
            "AddModuleOpens",
            NULL_POINTER,
            "module",
            jvmti -> jvmti.modules().addOpens(null, OWN.getName(), OTHER),
            new DirectAnswer(
                NULL_POINTER,
                env -> ModuleNatives.addModuleOpens(env, null, OWN.getName(), OTHER))),
        nullRefused(
            "AddModuleUses",
            NULL_POINTER,
            "service",
            jvmti -> jvmti.modules().addUses(OWN, null),
            new DirectAnswer(NULL_POINTER, env -> ModuleNatives.addModuleUses(env, OWN, null))),
        nullRefused(
            "AddModuleProvides",
            NULL_POINTER,
            "implClass",
            jvmti -> jvmti.modules().addProvides(OWN, Runnable.class, null),
            new DirectAnswer(
                NULL_POINTER,
                env -> ModuleNatives.addModuleProvides(env, OWN, Runnable.class, null))),
        nullRefused(
            "IsModifiableModule",
            NULL_POINTER,
            "module",
            jvmti -> jvmti.modules().isModifiable(null),
            new DirectAnswer(NULL_POINTER, env -> ModuleNatives.isModifiableModule(env, null))),
        provoke(
            "AddModuleExports",
            ILLEGAL_ARGUMENT,
            "a package of another module",
            jvmti -> jvmti.modules().addExports(OWN, "java.lang", OTHER)),
        provoke(
            "AddModuleOpens",
            ILLEGAL_ARGUMENT,
            "a package of another module",
            jvmti -> jvmti.modules().addOpens(OWN, "java.lang", OTHER)),
        provoke(
            "AddModuleUses",
            INVALID_CLASS,
            "a primitive type",
            jvmti -> jvmti.modules().addUses(OWN, int.class)),
        provoke(
            "AddModuleProvides",
            INVALID_CLASS,
            "a primitive type",
            jvmti -> jvmti.modules().addProvides(OWN, int.class, OwnModule.provider(OWN))));
  }

  @Override
  public List<Impossible> impossible() {
    return Stream.of(
            Impossible.impossible(
                INVALID_MODULE,
                ONLY_MODULES,
                "AddModuleReads",
                "AddModuleExports",
                "AddModuleOpens",
                "AddModuleUses",
                "AddModuleProvides",
                "IsModifiableModule"),
            Impossible.impossible(
                UNMODIFIABLE_MODULE,
                ALL_ARE_MODIFIABLE,
                "AddModuleReads",
                "AddModuleExports",
                "AddModuleOpens",
                "AddModuleUses",
                "AddModuleProvides"),
            Impossible.impossible(ILLEGAL_ARGUMENT, ONLY_LOADERS, "GetNamedModule"))
        .flatMap(List::stream)
        .toList();
  }
}
