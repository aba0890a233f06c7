package io.jvmtools.functions.errors;

import io.jvmtools.support.Sources;
import io.jvmtools.support.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Both registries, of all stems. */
public final class Errors {

  private static final List<ErrorRows> ROWS = find();
  private static final List<Map<String, String>> FUNCTIONS = Spec.rows("functions");

  private Errors() {}

  /** What Java provokes. */
  public static List<Provocation> provoked() {
    Set<String> byHand = keys(provokedByHand(), impossibleByHand());
    List<Provocation> all = new ArrayList<>(provokedByHand());
    NativeCall.all().stream()
        .flatMap(direct -> ImpliedCalls.of(direct).stream())
        .filter(row -> lists(row.function(), row.error()))
        .filter(row -> !byHand.contains(row.function() + " " + row.error()))
        .forEach(all::add);
    return all;
  }

  /** What Java cannot provoke. */
  public static List<Impossible> impossible() {
    Set<String> said = keys(provoked(), impossibleByHand());
    List<Impossible> all = new ArrayList<>(impossibleByHand());
    NativeCall.all().stream()
        .flatMap(direct -> Implied.of(direct).stream())
        .filter(row -> lists(row.function(), row.error()))
        .filter(row -> !said.contains(row.toString()))
        .forEach(all::add);
    return all;
  }

  /** Whether a function can answer an error. */
  static boolean lists(String function, String error) {
    return FUNCTIONS.stream()
        .filter(row -> row.get("name").equals(function))
        .anyMatch(row -> List.of(row.get("errors").split(",")).contains(error));
  }

  private static List<Provocation> provokedByHand() {
    return ROWS.stream().flatMap(rows -> rows.provoked().stream()).toList();
  }

  private static List<Impossible> impossibleByHand() {
    return ROWS.stream().flatMap(rows -> rows.impossible().stream()).toList();
  }

  /** Where there is a row, none is implied. */
  private static Set<String> keys(List<Provocation> provoked, List<Impossible> impossible) {
    return Stream.concat(
            provoked.stream().map(row -> row.function() + " " + row.error()),
            impossible.stream().map(Impossible::toString))
        .collect(Collectors.toSet());
  }

  /** Of each stem: the classes beside this one whose names end like its own. */
  private static List<ErrorRows> find() {
    return Sources.under("tests/functions", "Errors.java").stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .filter(name -> !name.equals(Errors.class.getSimpleName()))
        .sorted()
        .map(Errors::rows)
        .toList();
  }

  private static ErrorRows rows(String name) {
    try {
      Class<?> type = Class.forName(Errors.class.getPackageName() + "." + name);
      return (ErrorRows) type.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
