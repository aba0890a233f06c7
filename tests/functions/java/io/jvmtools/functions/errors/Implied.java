package io.jvmtools.functions.errors;

import io.jvmtools.JvmtiException;
import io.jvmtools.support.Spec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What no call from Java provokes, as it follows from the types of a function's parameters. */
final class Implied {

  /** Why no function finds a null pointer for its answer. */
  private static final String OWN_MEMORY =
      "The memory for the answer, and for a structure, is the library's own, never null.";

  /** Why no function that means the calling thread by a null finds an invalid one. */
  static final String ONLY_THREADS =
      "Java's types and the natives' signatures let nothing through that is not a thread, and a"
          + " null, which the public methods refuse, is the calling thread to the JVM.";

  /** How the library's own memory is passed on. */
  private static final Set<String> OWN = Set.of("out", "alloc", "alloc_alloc", "out_buf", "in_ptr");

  private Implied() {}

  /** One for each native, function and error of which no row by hand says more. */
  static List<Impossible> rows(Set<String> byHand) {
    List<Impossible> rows = new ArrayList<>();
    for (Map<String, String> row : Spec.rows("natives")) {
      String name = row.get("name");
      String function = Character.toUpperCase(name.charAt(0)) + name.substring(1);
      if (hasOnlyOwnPointers(function)) {
        rows.add(new Impossible(function, ErrorNames.NULL_POINTER, OWN_MEMORY, Optional.empty()));
      }
      if (meansTheCurrentThread(function)) {
        rows.add(
            Impossible.impossible(
                ErrorNames.INVALID_THREAD,
                ONLY_THREADS,
                function,
                new DirectAnswer("NONE", env -> askAboutNull(row.get("class"), name, env))));
      }
    }
    rows.removeIf(row -> !lists(row.function(), row.error()) || byHand.contains(row.toString()));
    return rows;
  }

  private static boolean lists(String function, String error) {
    return Spec.rows("functions").stream()
        .filter(row -> row.get("name").equals(function))
        .anyMatch(row -> List.of(row.get("errors").split(",")).contains(error));
  }

  private static boolean hasOnlyOwnPointers(String function) {
    List<Map<String, String>> pointers =
        parameters(function).stream()
            .filter(parameter -> parameter.get("null").equals(ErrorNames.NULL_POINTER))
            .toList();
    return !pointers.isEmpty()
        && pointers.stream().allMatch(parameter -> OWN.contains(parameter.get("direction")));
  }

  private static boolean meansTheCurrentThread(String function) {
    return parameters(function).stream()
        .anyMatch(parameter -> parameter.get("null").equals("current_thread"));
  }

  private static List<Map<String, String>> parameters(String function) {
    return Spec.rows("parameters").stream()
        .filter(row -> row.get("of").equals("function") && row.get("owner").equals(function))
        .toList();
  }

  /** Calls a native with nothing but nulls and zeros. */
  private static void askAboutNull(String type, String name, long env) {
    try {
      Class<?> natives = Class.forName("io.jvmtools.internal." + type.replace('/', '.'));
      Method method =
          Arrays.stream(natives.getMethods())
              .filter(candidate -> candidate.getName().equals(name))
              .findFirst()
              .orElseThrow();
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        Class<?> parameter = method.getParameterTypes()[i];
        arguments[i] = parameter == long.class ? (Object) 0L : parameter == int.class ? 0 : null;
      }
      arguments[0] = env;
      method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw (JvmtiException) e.getCause();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
