package io.jvmtools.oracle;

import java.util.List;

/** What Java says itself of the stem {@code class}. */
interface JavaClass extends ClassFunctions {

  /** Of arrays Java tells what they can do, and the VM what their class file would say. */
  @Override
  default String getImplementedInterfaces(Class<?> type) {
    if (type.isArray()) {
      throw new Observer.NoAnswer();
    }
    return Names.inOrder(List.of(type.getInterfaces()));
  }

  /** Of classes whose code the VM itself relies on Java tells nothing. */
  @Override
  default String isModifiableClass(Class<?> type) {
    if (type.getPackageName().startsWith("jdk.internal")) {
      throw new Observer.NoAnswer();
    }
    return String.valueOf(!type.isPrimitive() && !type.isArray() && !type.isHidden());
  }
}
