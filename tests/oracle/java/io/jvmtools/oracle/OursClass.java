package io.jvmtools.oracle;

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
}
