package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.ModuleFunctions;
import io.jvmtools.oracle.asked.Names;
import org.jspecify.annotations.Nullable;

/** The stem {@code module} through the public API. */
interface OursModule extends ModuleFunctions, OurEnvironment {

  @Override
  default String getAllModules() {
    return Names.ofAll(jvmti().modules().all());
  }

  /** The name is that of class files here, as the VM wants it. */
  @Override
  default String getNamedModule(@Nullable ClassLoader loader, String packageName) {
    String name = packageName.replace('/', '.');
    return Names.of(
        (loader == null
                ? jvmti().modules().ofBootstrapPackage(name)
                : jvmti().modules().ofPackage(loader, name))
            .orElse(null));
  }

  @Override
  default String addModuleReads(Module module, Module toModule) {
    jvmti().modules().addReads(module, toModule);
    return "NONE";
  }

  @Override
  default String addModuleExports(Module module, String pkgName, Module toModule) {
    jvmti().modules().addExports(module, pkgName, toModule);
    return "NONE";
  }

  @Override
  default String addModuleOpens(Module module, String pkgName, Module toModule) {
    jvmti().modules().addOpens(module, pkgName, toModule);
    return "NONE";
  }

  @Override
  default String addModuleUses(Module module, Class<?> service) {
    jvmti().modules().addUses(module, service);
    return "NONE";
  }

  @Override
  default String addModuleProvides(Module module, Class<?> service, Class<?> implClass) {
    jvmti().modules().addProvides(module, service, implClass);
    return "NONE";
  }

  @Override
  default String isModifiableModule(Module module) {
    return String.valueOf(jvmti().modules().isModifiable(module));
  }
}
