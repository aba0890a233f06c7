package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.ModuleFunctions;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Observer;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Java says itself of the stem {@code module}: it knows the layer that it was started with.
 */
interface JavaModule extends ModuleFunctions {

  @Override
  default String getNamedModule(@Nullable ClassLoader loader, String packageName) {
    Set<Module> theirs =
        ModuleLayer.boot().modules().stream()
            .filter(module -> module.getClassLoader() == loader)
            .collect(Collectors.toSet());
    if (theirs.isEmpty()) {
      throw new Observer.NoAnswer();
    }
    return Names.of(
        theirs.stream()
            .filter(module -> module.getPackages().contains(packageName.replace('/', '.')))
            .findAny()
            .orElse(null));
  }
}
