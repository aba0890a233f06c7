package io.jvmtools.functions.errors;

import io.jvmtools.support.Spec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A parameter of a function for which a caller has a value: none that is for an answer, that says
 * how many there are in another one, or is the class with which a field comes.
 *
 * @param ifNull what a null gives
 * @param checks what else is looked at
 * @param isRoom whether it says how much room there is for an answer, which the library makes
 */
record Input(String ifNull, List<String> checks, boolean isRoom) {

  private static final List<Map<String, String>> PARAMETERS = Spec.rows("parameters");

  static List<Input> of(String function) {
    boolean isAboutFields = isAboutFields(function);
    Set<String> counts = counts(function, "in_buf");
    Set<String> rooms = counts(function, "out_buf");
    return parameters(function).stream()
        .filter(row -> Set.of("in", "in_buf").contains(row.get("direction")))
        .filter(row -> !counts.contains(row.get("name")))
        .filter(row -> !(isAboutFields && row.get("c_type").equals("jclass")))
        .map(
            row ->
                new Input(
                    row.get("null"),
                    List.of(row.get("checks").split(",")),
                    rooms.contains(row.get("name"))))
        .toList();
  }

  /** All parameters of a function. */
  static List<Map<String, String>> parameters(String function) {
    return PARAMETERS.stream()
        .filter(row -> row.get("of").equals("function") && row.get("owner").equals(function))
        .toList();
  }

  static boolean isAboutFields(String function) {
    return parameters(function).stream().anyMatch(row -> row.get("c_type").equals("jfieldID"));
  }

  /** The parameters that say how many there are in what is passed in a direction. */
  static Set<String> counts(String function, String direction) {
    return parameters(function).stream()
        .filter(row -> row.get("direction").equals(direction))
        .map(row -> row.get("count_in"))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  boolean hasToBeAlive() {
    return checks.contains("alive");
  }

  /** The error in a case that is looked at; empty if that is not. */
  String inCaseOf(String wrong) {
    return checks.stream()
        .filter(check -> check.startsWith(wrong + ":"))
        .map(check -> check.substring(wrong.length() + 1))
        .collect(Collectors.joining());
  }

  /** What the public methods say of a number: one that is no depth is how many are wanted. */
  String boundOfNumber() {
    return inCaseOf("too_deep").isEmpty() ? " must be positive" : " must not be negative";
  }

  /** The error that a null gives, by its type where nothing is said of it; empty if none. */
  String ofNull(NativeCall.Parameter inNative) {
    return switch (ifNull) {
      case "allowed", "current_thread" -> "";
      case "" -> ofNull(inNative.type());
      default -> ifNull;
    };
  }

  private static String ofNull(String type) {
    return switch (type) {
      case "Object" -> ErrorNames.INVALID_OBJECT;
      case "ThreadGroup" -> ErrorNames.INVALID_THREAD_GROUP;
      default -> "";
    };
  }
}
