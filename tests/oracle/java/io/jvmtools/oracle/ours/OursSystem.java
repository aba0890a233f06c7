package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.SystemFunctions;
import java.nio.file.Path;

/** The stem {@code system} through the public API. */
interface OursSystem extends SystemFunctions, OurEnvironment {

  @Override
  default String getSystemProperties() {
    return Names.sorted(jvmti().system().propertyNames().stream(), ",");
  }

  @Override
  default String getSystemProperty(String property) {
    return jvmti().system().property(property).orElse("NOT_AVAILABLE");
  }

  @Override
  default String addToBootstrapClassLoaderSearch(String segment) {
    jvmti().system().addToBootstrapSearch(Path.of(segment));
    return "NONE";
  }

  @Override
  default String addToSystemClassLoaderSearch(String segment) {
    jvmti().system().addToSystemSearch(Path.of(segment));
    return "NONE";
  }
}
