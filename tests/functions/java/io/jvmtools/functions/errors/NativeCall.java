package io.jvmtools.functions.errors;

import io.jvmtools.JvmtiException;
import io.jvmtools.functions.errors.PublicMethod.Argument;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.support.Samples;
import io.jvmtools.support.Spec;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The native of a function, which takes what the public methods refuse.
 *
 * @param function the function
 * @param type its class
 * @param parameters all of them
 */
record NativeCall(String function, String type, List<Parameter> parameters) {

  private static final List<NativeCall> ALL =
      Spec.rows("natives").stream().map(NativeCall::of).toList();

  /**
   * A parameter.
   *
   * @param name its name
   * @param type as the table has it
   */
  record Parameter(String name, String type) {

    static Parameter of(String cell) {
      String[] parts = cell.split(": ");
      return new Parameter(parts[0], parts.length > 1 ? parts[1] : "long");
    }

    /** Whether the JVM gets the reference that the native gets. */
    boolean crossesAsItIs() {
      return !type.endsWith("[]") && !type.equals("Runnable");
    }
  }

  /** All natives; some are no function. */
  static List<NativeCall> all() {
    return ALL;
  }

  private static NativeCall of(Map<String, String> row) {
    String name = row.get("name");
    return new NativeCall(
        Character.toUpperCase(name.charAt(0)) + name.substring(1),
        "io.jvmtools.internal." + row.get("class").replace('/', '.'),
        Stream.of(row.get("parameters").split(", ")).map(Parameter::of).toList());
  }

  /** The parameter for an input: they are the last ones. */
  Parameter standingFor(int input) {
    return parameters.get(parameters.size() - Input.of(function).size() + input);
  }

  boolean takes(String type) {
    return parameters.stream().anyMatch(parameter -> parameter.type.equals(type));
  }

  /** What the JVM says if the parameter of a type is null. */
  DirectAnswer ofNull(String type, String error) {
    Parameter parameter =
        parameters.stream().filter(one -> one.type.equals(type)).findFirst().orElseThrow();
    return answers(error, parameter, () -> null);
  }

  /** What the JVM says if one parameter is wrong, the others are samples, and numbers are 0. */
  DirectAnswer answers(String error, Parameter parameter, Argument wrong) {
    return new DirectAnswer(error, env -> ask(env, parameter, wrong));
  }

  private void ask(long env, Parameter wrong, Argument argument) {
    try {
      Method method =
          Arrays.stream(Class.forName(type).getMethods())
              .filter(candidate -> candidate.getName().equalsIgnoreCase(function))
              .findFirst()
              .orElseThrow();
      Object[] arguments = new Object[parameters.size()];
      for (int i = 0; i < arguments.length; i++) {
        Parameter parameter = parameters.get(i);
        arguments[i] =
            parameter.equals(wrong)
                ? argument.make()
                : sample(parameter.name, method.getParameterTypes()[i], env);
      }
      method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof JvmtiException refusal) {
        throw refusal;
      }
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object sample(String name, Class<?> type, long env) {
    return switch (name) {
      case "env" -> env;
      case "methodId" -> ClassNatives.getClassMethods(env, Samples.good(Class.class))[0];
      case "fieldId" -> ClassNatives.getClassFields(env, Samples.good(Class.class))[0];
      default -> type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : Samples.good(type);
    };
  }
}
