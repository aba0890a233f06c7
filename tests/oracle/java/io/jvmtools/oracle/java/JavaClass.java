package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.ClassFunctions;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Observer;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** The one that is generic is not told, and that of a hidden class has another form. */
  @Override
  default String getClassSignature(Class<?> type) {
    if (type.isHidden() || type.getTypeParameters().length > 0 || isGeneric(type)) {
      throw new Observer.NoAnswer();
    }
    return type.descriptorString();
  }

  private static boolean isGeneric(Class<?> type) {
    return Stream.concat(
            Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()))
        .anyMatch(ParameterizedType.class::isInstance);
  }

  @Override
  default String isInterface(Class<?> type) {
    return String.valueOf(type.isInterface());
  }

  @Override
  default String isArrayClass(Class<?> type) {
    return String.valueOf(type.isArray());
  }

  @Override
  default String getClassLoader(Class<?> type) {
    return Names.of(type.getClassLoader());
  }

  /** Of classes whose code the VM itself relies on Java tells nothing. */
  @Override
  default String isModifiableClass(Class<?> type) {
    if (type.getPackageName().startsWith("jdk.internal")) {
      throw new Observer.NoAnswer();
    }
    return String.valueOf(!type.isPrimitive() && !type.isArray() && !type.isHidden());
  }

  @Override
  default String getClassFields(Class<?> type) {
    return Stream.of(type.getDeclaredFields()).map(Field::getName).collect(Collectors.joining(","));
  }
}
