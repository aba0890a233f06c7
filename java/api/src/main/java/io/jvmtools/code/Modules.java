package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.StalledException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ModuleNatives;
import io.jvmtools.internal.environment.Environment;
import java.util.List;
import java.util.Optional;

/**
 * Modules: which there are, and what they read, export, open, use and provide beside what their
 * declarations say.
 *
 * <p><strong>What is added here is there for everybody and for good:</strong> nothing takes it
 * back, neither closing the environment nor any other call, as long as both modules live. The
 * methods are called like those of {@link Module} and {@link ModuleLayer.Controller}, and do not
 * ask whose module it is.
 *
 * <p>To add something the JVM runs Java code of the JDK on the calling thread. Who is suspended in
 * the middle of that keeps others waiting that add the like, here or by {@link Module}; and where
 * the stack is nearly full, a {@link StackOverflowError} comes before anything has been done.
 */
public final class Modules {

  static {
    Makers.register(
        Modules.class,
        new Maker<Environment, Modules>() {
          @Override
          public Modules make(Environment environment) {
            return new Modules(environment);
          }
        });
  }

  /** Some 40 KB of stack, and five times that before they are compiled. */
  private static final int FRAMES = 700;

  private final Environment environment;

  Modules(Environment environment) {
    this.environment = environment;
  }

  /**
   * All modules that there are: the named ones of every layer, and the unnamed one of each class
   * loader that has defined something. Needs no capability.
   *
   * @return an unmodifiable list in no particular order, which keeps them and their loaders alive
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllModules")
  public List<Module> all() {
    return environment.keep(List.of(ModuleNatives.getAllModules(environment.handle())));
  }

  /**
   * The named module that a class loader defines a package in. Needs no capability.
   *
   * @param loader the loader that the classes of the package have, {@link Class#getClassLoader()}
   * @param packageName the name of a package, for example {@code "com.acme.cart"}
   * @return the module; empty if the package is in the unnamed module, or the loader has none of
   *     that name, whatever the loaders that it asks have
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetNamedModule")
  public Optional<Module> ofPackage(ClassLoader loader, String packageName) {
    requireNonNull(loader, "loader");
    String name = inClassFiles(requireNonNull(packageName, "packageName"));
    return environment.keep(
        Optional.ofNullable(ModuleNatives.getNamedModule(environment.handle(), loader, name)));
  }

  /**
   * The named module that the bootstrap loader, for which Java has no object, defines a package in.
   * Needs no capability.
   *
   * @param packageName the name of a package, for example {@code "java.lang"}
   * @return the module; empty if the loader has no package of that name in a named one
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetNamedModule")
  public Optional<Module> ofBootstrapPackage(String packageName) {
    String name = inClassFiles(requireNonNull(packageName, "packageName"));
    return environment.keep(
        Optional.ofNullable(ModuleNatives.getNamedModule(environment.handle(), null, name)));
  }

  /**
   * Has a module read another one, for good. Needs no capability.
   *
   * @param module the one that reads; an unnamed module reads all, so nothing changes
   * @param toModule the one that is read
   * @throws JvmtiException with the code 113 if the JDK's own code has no memory left for it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddModuleReads")
  public void addReads(Module module, Module toModule) {
    requireNonNull(module, "module");
    requireNonNull(toModule, "toModule");
    requireStack(FRAMES, 1, 2, 3, 4);
    ModuleNatives.addModuleReads(environment.handle(), module, toModule);
    environment.keep();
  }

  /**
   * Has a module export a package to another one, for good: what is public in it can be used there.
   * Needs no capability.
   *
   * @param module the one that exports; an unnamed or open module exports all, so nothing changes
   * @param pkgName the name of a package of its own, for example {@code "com.acme.cart"}
   * @param toModule the one that it is exported to
   * @throws JvmtiException with the code 103 if the module has no such package, or 113 if the JDK's
   *     own code has no memory left for it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddModuleExports")
  public void addExports(Module module, String pkgName, Module toModule) {
    requireNonNull(module, "module");
    requireNonNull(pkgName, "pkgName");
    requireNonNull(toModule, "toModule");
    requireStack(FRAMES, 1, 2, 3, 4);
    ModuleNatives.addModuleExports(environment.handle(), module, pkgName, toModule);
    environment.keep();
  }

  /**
   * Has a module open a package to another one, for good: all that is in it can be reached there by
   * reflection, and what is public can be used. Needs no capability.
   *
   * @param module the one that opens; an unnamed or open module opens all, so nothing changes
   * @param pkgName the name of a package of its own, for example {@code "com.acme.cart"}
   * @param toModule the one that it is opened to
   * @throws JvmtiException with the code 103 if the module has no such package, or 113 if the JDK's
   *     own code has no memory left for it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddModuleOpens")
  public void addOpens(Module module, String pkgName, Module toModule) {
    requireNonNull(module, "module");
    requireNonNull(pkgName, "pkgName");
    requireNonNull(toModule, "toModule");
    requireStack(FRAMES, 1, 2, 3, 4);
    ModuleNatives.addModuleOpens(environment.handle(), module, pkgName, toModule);
    environment.keep();
  }

  /**
   * Has a module use a service, for good: its code may ask a {@link java.util.ServiceLoader} for
   * it. Needs no capability.
   *
   * @param module the one that uses it; an unnamed module may use any, so nothing changes
   * @param service the type of the service
   * @throws JvmtiException with the code 21 if the service is a primitive type, or 113 if the JDK's
   *     own code has no memory left for it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddModuleUses")
  public void addUses(Module module, Class<?> service) {
    requireNonNull(module, "module");
    requireNonNull(service, "service");
    requireStack(FRAMES, 1, 2, 3, 4);
    ModuleNatives.addModuleUses(environment.handle(), module, service);
    environment.keep();
  }

  /**
   * Has a module provide a service, for good: a {@link java.util.ServiceLoader} that is made from
   * then on finds it, once for each time that it was added. Needs no capability.
   *
   * <p>The JVM does not look whether the class is fit for that, as {@link java.util.ServiceLoader}
   * wants it: public, with a public constructor without parameters, and of the service's type. If
   * it is not, every {@code ServiceLoader} that comes to it throws a {@link
   * java.util.ServiceConfigurationError} from then on.
   *
   * @param module the one that provides it
   * @param service the type of the service
   * @param implClass a class of that module, which provides the service
   * @throws IllegalArgumentException if the class is in another module, where no {@code
   *     ServiceLoader} would find it
   * @throws JvmtiException with the code 21 if the service or the class is a primitive type, or 113
   *     if the JDK's own code has no memory left for it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddModuleProvides")
  public void addProvides(Module module, Class<?> service, Class<?> implClass) {
    requireNonNull(module, "module");
    requireNonNull(service, "service");
    requireNonNull(implClass, "implClass");
    if (implClass.getModule() != module) {
      throw new IllegalArgumentException(
          implClass + " is in " + implClass.getModule() + " and not in " + module);
    }
    requireStack(FRAMES, 1, 2, 3, 4);
    ModuleNatives.addModuleProvides(environment.handle(), module, service, implClass);
    environment.keep();
  }

  /**
   * Whether a module can be changed by the methods above. Needs no capability.
   *
   * @param module any module, named or not
   * @return whether it can; on HotSpot that is so of all
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsModifiableModule")
  public boolean isModifiable(Module module) {
    requireNonNull(module, "module");
    return environment.keep(ModuleNatives.isModifiableModule(environment.handle(), module));
  }

  /**
   * Overflows the stack here rather than in the JDK: there it could be in the middle of a static
   * initialiser, after which the JVM changes no module any more. The numbers make frames large that
   * a compiler makes, too.
   */
  private static long requireStack(int frames, long a, long b, long c, long d) {
    return frames == 0 ? a : requireStack(frames - 1, b, c, d, a) + a + b * c - d;
  }

  /** What has slashes is no name of a package, and must not become one. */
  private static String inClassFiles(String packageName) {
    return packageName.replace('/', ';').replace('.', '/');
  }
}
