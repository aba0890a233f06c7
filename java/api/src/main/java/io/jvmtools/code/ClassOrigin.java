package io.jvmtools.code;

import org.jspecify.annotations.Nullable;

/** The strings a stack trace prints before a class name; the same for all methods of a class. */
record ClassOrigin(
    @Nullable String loader, @Nullable String module, @Nullable String moduleVersion) {

  static final ClassOrigin NONE = new ClassOrigin(null, null, null);

  /** Like the JVM in its own traces: no names for built-in loaders, no versions for JDK modules. */
  static ClassOrigin of(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    boolean builtIn =
        loader == null
            || loader == ClassLoader.getPlatformClassLoader()
            || loader == ClassLoader.getSystemClassLoader();
    String loaderName = builtIn ? null : loader.getName();
    Module module = type.getModule();
    if (!module.isNamed()) {
      return loaderName == null ? NONE : new ClassOrigin(loaderName, null, null);
    }
    // No lambda: linking one could wait for a suspended thread.
    String version = isOfTheJdk(module) ? null : module.getDescriptor().rawVersion().orElse(null);
    return new ClassOrigin(loaderName, module.getName(), version);
  }

  private static boolean isOfTheJdk(Module module) {
    String name = module.getName();
    return name.startsWith("java.") || name.startsWith("jdk.");
  }
}
