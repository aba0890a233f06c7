package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.functions.OwnModule;
import java.util.List;

/** Of the stem {@code module}. */
final class ModuleErrors implements ErrorRows {

  private static final String ONLY_LOADERS =
      "Java's types and the natives' signatures let nothing through that is not a class loader.";

  private static final Module OWN = OwnModule.named("acme.errors");
  private static final Module OTHER = ModuleErrors.class.getModule();

  @Override
  public List<Provocation> provoked() {
    return List.of(
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
    return Impossible.impossible(ILLEGAL_ARGUMENT, ONLY_LOADERS, "GetNamedModule");
  }
}
