package io.jvmtools.functions.errors;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.functions.Facets;
import io.jvmtools.support.Samples;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A public method that is one function and nothing else.
 *
 * @param method the method
 * @param wrong what it is called with in place of samples
 */
record PublicMethod(Method method, Map<Integer, Argument> wrong) {

  private static final List<PublicMethod> ALL =
      Facets.functions(Jvmti.class)
          .filter(method -> functions(method).length == 1)
          .sorted(Comparator.comparing(Method::toString))
          .map(method -> new PublicMethod(method, Map.of()))
          .toList();

  /** Made when the call is made. */
  @FunctionalInterface
  interface Argument {
    /** Makes it. */
    @Nullable Object make() throws Exception;
  }

  static List<PublicMethod> of(String function) {
    return ALL.stream().filter(one -> functions(one.method)[0].equals(function)).toList();
  }

  private static String[] functions(Method method) {
    return method.getAnnotation(JvmtiFunction.class).value();
  }

  int parameterCount() {
    return method.getParameterCount();
  }

  Class<?> type(int parameter) {
    return method.getParameterTypes()[parameter];
  }

  /** What a parameter is called: as in the native, or else as all of its type are. */
  String nameOf(int parameter, NativeCall.Parameter inNative) {
    return inNative.type().equals(type(parameter).getSimpleName())
        ? inNative.name()
        : Samples.names(method, parameter).get(0);
  }

  PublicMethod with(int parameter, Argument argument) {
    Map<Integer, Argument> more = new HashMap<>(wrong);
    more.put(parameter, argument);
    return new PublicMethod(method, more);
  }

  Object ask(Jvmti jvmti) throws Exception {
    Object[] arguments = Samples.good(method);
    for (Map.Entry<Integer, Argument> one : wrong.entrySet()) {
      arguments[one.getKey()] = one.getValue().make();
    }
    return Facets.invoke(method, jvmti, arguments);
  }
}
