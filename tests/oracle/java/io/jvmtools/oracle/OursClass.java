package io.jvmtools.oracle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stem {@code class} through the public API. */
interface OursClass extends ClassFunctions, OurEnvironment {

  @Override
  default String getImplementedInterfaces(Class<?> type) {
    return Names.inOrder(jvmti().classes().implementedInterfaces(type));
  }

  @Override
  default String getSourceDebugExtension(Class<?> type) {
    return jvmti().classes().sourceDebugExtension(type).orElse("ABSENT_INFORMATION");
  }

  @Override
  default String isModifiableClass(Class<?> type) {
    return String.valueOf(jvmti().classes().isModifiable(type));
  }

  /** Arrays of arrays are there if anybody in the JVM has made one. */
  @Override
  default String getClassLoaderClasses(@Nullable ClassLoader loader) {
    List<Class<?>> types =
        loader == null
            ? jvmti().classes().initiatedByBootstrapLoader()
            : jvmti().classes().initiatedBy(loader);
    return Names.ofAll(types.stream().filter(type -> !type.getName().startsWith("[[")).toList());
  }
}
