package io.jvmtools.functions;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.ProductClasses;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

/** The public methods that are functions of the specification. */
public final class Facets {

  private Facets() {}

  /** Those of some classes, and of all facets. */
  public static Stream<Method> functions(Class<?>... types) {
    return Stream.concat(Arrays.stream(types), ProductClasses.facets().stream())
        .flatMap(type -> ProductClasses.publicMethods(type).stream())
        .filter(method -> method.isAnnotationPresent(JvmtiFunction.class));
  }

  /** Calls one of an environment; what it throws is thrown as it is. */
  public static Object invoke(Method method, Jvmti jvmti, Object... arguments) throws Exception {
    Object facet = of(jvmti, method.getDeclaringClass());
    try {
      return method.invoke(facet, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getCause();
    }
  }

  /** The environment itself, or what one of its methods hands out. */
  public static Object of(Jvmti jvmti, Class<?> type) throws ReflectiveOperationException {
    for (Method candidate : Jvmti.class.getMethods()) {
      if (candidate.getReturnType() == type && candidate.getParameterCount() == 0) {
        return candidate.invoke(jvmti);
      }
    }
    return jvmti;
  }
}
