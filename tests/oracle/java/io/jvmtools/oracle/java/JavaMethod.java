package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.MethodFunctions;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Observer;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** What Java says itself of the stem {@code method}. */
interface JavaMethod extends MethodFunctions {

  private static Executable of(Object method) {
    return (Executable) method;
  }

  /** Its signature that is generic is not told. */
  @Override
  default String getMethodName(Object method) {
    if (!of(method).toGenericString().equals(of(method).toString())) {
      throw new Observer.NoAnswer();
    }
    boolean constructor = !(method instanceof Method);
    Class<?> result = constructor ? void.class : ((Method) method).getReturnType();
    return (constructor ? "<init>" : of(method).getName())
        + " "
        + MethodType.methodType(result, of(method).getParameterTypes()).descriptorString();
  }

  @Override
  default String getMethodDeclaringClass(Object method) {
    return Names.of(of(method).getDeclaringClass());
  }

  @Override
  default String getMethodModifiers(Object method) {
    return String.valueOf(of(method).getModifiers());
  }

  @Override
  default String getArgumentsSize(Object method) {
    if (Modifier.isNative(of(method).getModifiers())) {
      throw new Observer.NoAnswer();
    }
    int slots = Modifier.isStatic(of(method).getModifiers()) ? 0 : 1;
    for (Class<?> type : of(method).getParameterTypes()) {
      slots += type == long.class || type == double.class ? 2 : 1;
    }
    return String.valueOf(slots);
  }

  @Override
  default String isMethodNative(Object method) {
    return String.valueOf(Modifier.isNative(of(method).getModifiers()));
  }

  @Override
  default String isMethodSynthetic(Object method) {
    return String.valueOf(of(method).isSynthetic());
  }
}
