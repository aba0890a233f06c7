package io.jvmtools.oracle.scenes;

import io.jvmtools.functions.OwnModule;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Modules: each scenario changes some that no other one has. */
final class ModuleScenes implements Scenes {

  private static final Module OURS = ModuleScenes.class.getModule();
  private static final Module BASE = Object.class.getModule();

  private final Notes notes;
  private final Observer observer;

  ModuleScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open();
  }

  @Override
  public void play() {
    listed();
    named();
    reads();
    packages();
    uses();
    provides();
    modifiable("named", OwnModule.named("acme"));
    modifiable("base", BASE);
    modifiable("unnamed", OURS);
    notes.answer(observer::disposeEnvironment);
  }

  private void listed() {
    notes.note(
        "GetAllModules.listed",
        () -> Call.modules(observer.getAllModules()),
        () -> OwnModule.named("acme.listed").getName(),
        () -> Call.modules(observer.getAllModules()));
    notes.note("GetAllModules.again", () -> Call.modules(observer.getAllModules()));
    notes.note(
        "GetAllModules.nobodyIsTwice",
        () -> String.valueOf(observer.getAllModules().split("java\\.base,").length));
  }

  private void named() {
    ClassLoader app = ModuleScenes.class.getClassLoader();
    Module own = OwnModule.named("acme.own");
    named("base", null, "java/lang");
    named("ofTheBootstrapLoaderAlone", app, "java/lang");
    named("own", own.getClassLoader(), "acme/own");
    named("anothers", own.getClassLoader(), "java/lang");
    named("unnamed", app, "io/jvmtools/oracle/scenes");
    named("none", null, "");
    named("nowhere", null, "no/where");
    named("accents", OwnModule.named("acme.\u00e4").getClassLoader(), "acme/\u00e4");
  }

  private void named(String scenario, @Nullable ClassLoader loader, String packageName) {
    notes.note("GetNamedModule." + scenario, () -> observer.getNamedModule(loader, packageName));
  }

  private void reads() {
    reads("another", OwnModule.named("acme.one"), OwnModule.named("acme.other"));
    reads("unnamed", OwnModule.named("acme.one"), OURS);
    reads("base", OwnModule.named("acme.one"), BASE);
    Module itself = OwnModule.named("acme.itself");
    reads("itself", itself, itself);
    reads("ofAnUnnamedOne", OURS, OwnModule.named("acme.other"));
  }

  private void reads(String scenario, Module module, Module toModule) {
    notes.note(
        "AddModuleReads." + scenario,
        () -> String.valueOf(module.canRead(toModule)),
        () -> observer.addModuleReads(module, toModule),
        () -> String.valueOf(module.canRead(toModule)),
        () -> observer.addModuleReads(module, toModule));
  }

  private void packages() {
    packages("itsOwn", "acme.one", OwnModule.named("acme.one"));
    packages("anothers", "java.lang", OwnModule.named("acme.one"));
    packages("slashes", "acme/one", OwnModule.named("acme.one"));
    packages("none", "", OwnModule.named("acme.one"));
    packages("ofAnOpenOne", "acme.one", OwnModule.open("acme.one"));
    packages("nowhereInAnOpenOne", "no.where", OwnModule.open("acme.one"));
    packages("ofAnUnnamedOne", "no.where", OURS);
  }

  private void packages(String scenario, String name, Module module) {
    Module exported = OwnModule.named("acme.exported");
    notes.note(
        "AddModuleExports." + scenario,
        () -> String.valueOf(module.isExported(name, exported)),
        () -> observer.addModuleExports(module, name, exported),
        () -> String.valueOf(module.isExported(name, exported)),
        () -> String.valueOf(module.isOpen(name, exported)));
    Module opened = OwnModule.named("acme.opened");
    notes.note(
        "AddModuleOpens." + scenario,
        () -> String.valueOf(module.isOpen(name, opened)),
        () -> observer.addModuleOpens(module, name, opened),
        () -> String.valueOf(module.isOpen(name, opened)),
        () -> String.valueOf(module.isExported(name, opened)));
  }

  private void uses() {
    uses("type", OwnModule.named("acme.one"), Runnable.class);
    uses("array", OwnModule.named("acme.one"), int[].class);
    uses("primitive", OwnModule.named("acme.one"), int.class);
    uses("ofAnUnnamedOne", OURS, Runnable.class);
  }

  private void uses(String scenario, Module module, Class<?> service) {
    notes.note(
        "AddModuleUses." + scenario,
        () -> String.valueOf(module.canUse(service)),
        () -> observer.addModuleUses(module, service),
        () -> String.valueOf(module.canUse(service)));
  }

  private void provides() {
    Module module = OwnModule.named("acme.one");
    provides("once", module, Runnable.class, OwnModule.provider(module));
    provides("again", module, Runnable.class, OwnModule.provider(module));
    Module wrong = OwnModule.named("acme.wrong");
    provides("primitive", wrong, int.class, OwnModule.provider(wrong));
    provides("byAPrimitive", BASE, Runnable.class, int.class);
    provides("ofAnotherType", wrong, Comparable.class, OwnModule.provider(wrong));
    Module elsewhere = OwnModule.named("acme.elsewhere");
    provides("elsewhere", elsewhere, Runnable.class, OwnModule.provider(module));
    Class<?> unnamed = OwnModule.providerOfAnUnnamedOne();
    notes.note(
        "AddModuleProvides.unnamed",
        () -> observer.addModuleProvides(unnamed.getModule(), Runnable.class, unnamed),
        () -> found(ServiceLoader.load(Runnable.class, unnamed.getClassLoader())));
  }

  private void provides(String scenario, Module module, Class<?> service, Class<?> implClass) {
    notes.note(
        "AddModuleProvides." + scenario,
        () -> observer.addModuleProvides(module, service, implClass),
        () -> found(ServiceLoader.load(module.getLayer(), service)));
  }

  private static String found(ServiceLoader<?> services) {
    try {
      String all =
          services.stream()
              .map(Provider::type)
              .map(Class::getName)
              .collect(Collectors.joining(","));
      return all.isEmpty() ? "none" : all;
    } catch (ServiceConfigurationError broken) {
      return "broken";
    }
  }

  private void modifiable(String scenario, Module module) {
    notes.note("IsModifiableModule." + scenario, () -> observer.isModifiableModule(module));
  }
}
