package io.jvmtools.coverage;

import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.functions.errors.Errors;
import io.jvmtools.functions.errors.Provocation;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import io.jvmtools.support.Spec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the functions of the specification are found: in the sources, in the jar, in the tests. */
final class Layers {

  /** Natives that are not called like their function. */
  private static final Map<String, String> NATIVES =
      Map.of("DisposeEnvironment", "close", "RawMonitorExit", "rawMonitorEnter");

  private static final Pattern ALIAS = Pattern.compile("doc\\(alias = \"(\\w+)\"\\)");

  private static final Pattern SLOT = Pattern.compile("table\\.(\\w+) = ");

  private final List<Map<String, String>> functions = Spec.rows("functions");
  private final Set<String> rust = findRust();
  private final Set<String> triedOnAFakeTable = findTriedOnAFakeTable();
  private final Set<String> natives = findNatives();
  private final Set<String> annotated =
      publicTypes()
          .filter(type -> type != JvmTools.class)
          .flatMap(type -> ProductClasses.publicMethods(type).stream())
          .flatMap(method -> functionsOf(method).stream())
          .collect(Collectors.toCollection(TreeSet::new));
  private final Set<String> tested = findTested();
  private final Set<String> provoked =
      Errors.provoked().stream()
          .map(row -> key(row.function(), row.error()))
          .collect(Collectors.toSet());
  private final Set<String> empty =
      Errors.provoked().stream()
          .filter(Provocation::isAnsweredAsEmpty)
          .map(row -> key(row.function(), row.error()))
          .collect(Collectors.toSet());
  private final Set<String> impossible =
      Errors.impossible().stream()
          .map(row -> key(row.function(), row.error()))
          .collect(Collectors.toSet());

  /** The rows of the table. */
  List<Map<String, String>> functions() {
    return functions;
  }

  /** The functions that a method of the safe layer names by {@code doc(alias)}. */
  Set<String> rust() {
    return rust;
  }

  /** The names of the natives. */
  Set<String> natives() {
    return natives;
  }

  static String nativeOf(String function) {
    return NATIVES.getOrDefault(
        function, Character.toLowerCase(function.charAt(0)) + function.substring(1));
  }

  /** The functions that a public method of an environment names by {@link JvmtiFunction}. */
  Set<String> annotated() {
    return annotated;
  }

  /** What a function lacks, and where that is written. */
  List<String> lacking(String function) {
    String stem = row(function).get("stem");
    String method = nativeOf(function);
    Map<String, Boolean> places = new LinkedHashMap<>();
    Optional<Elsewhere> elsewhere = Elsewhere.of(function);
    places.put(
        "native/jvmti/src/" + stem + ".rs: a method of Env with #[doc(alias = …)]",
        rust.contains(function));
    places.put(
        "native/jvmti/tests/layer/" + stem + ".rs: a test that puts it into the table",
        triedOnAFakeTable.contains(function));
    if (elsewhere.isPresent()) {
      places.put("tests: " + elsewhere.get().proof(), isTest(elsewhere.get().proof()));
      return lacking(function, places);
    }
    places.put("spec/natives.tsv: a row for " + method, natives.contains(method));
    places.put(
        "java/api: a public method of a facet, with @JvmtiFunction", annotated.contains(function));
    places.put(
        "tests/functions/…/<room>/<Facet>Test.java: a test that calls it",
        tested.contains(function));
    return lacking(function, places);
  }

  /** Whether there is a test that is called so: class and method. */
  static boolean isTest(String proof) {
    String[] names = proof.split("\\.");
    return Stream.of("tests", "java/api/src/test")
        .flatMap(folder -> Sources.under(folder, names[0] + ".java").stream())
        .map(Sources::text)
        .anyMatch(
            text -> text.contains("class " + names[0] + " {") && text.contains(names[1] + "("));
  }

  private static List<String> lacking(String function, Map<String, Boolean> places) {
    return places.entrySet().stream()
        .filter(place -> !place.getValue())
        .map(place -> function + ", in " + place.getKey())
        .toList();
  }

  /** The errors that the table lists for a function. */
  List<String> errors(String function) {
    String errors = row(function).get("errors");
    return errors.isEmpty() ? List.of() : List.of(errors.split(","));
  }

  /** Whether a row of {@link Errors#provoked()} is about an error. */
  boolean provokes(String function, String error) {
    return provoked.contains(key(function, error));
  }

  /** Whether the library answers an error as empty. */
  boolean answersAsEmpty(String function, String error) {
    return empty.contains(key(function, error));
  }

  /** Whether a row of {@link Errors#impossible()} is about an error. */
  boolean explains(String function, String error) {
    return impossible.contains(key(function, error));
  }

  /** Whether a function is there in every layer, with each of its errors. */
  boolean isDone(String function) {
    return lacking(function).isEmpty()
        && errors(function).stream()
            .allMatch(error -> provokes(function, error) || explains(function, error));
  }

  /** What the static methods for a function are called, in code. */
  static String door(String function) {
    return names(Stream.of(JvmTools.class), function, type -> "");
  }

  /** What the methods for a function are called that an environment has, in code. */
  static String facet(String function) {
    return names(
        publicTypes().filter(type -> type != JvmTools.class),
        function,
        type -> type.getSimpleName() + ".");
  }

  /** The errors that the rows of both registries name: {@code function ERROR}. */
  static Stream<String> errorsInRows() {
    return Stream.concat(
        Errors.provoked().stream().map(row -> key(row.function(), row.error())),
        Errors.impossible().stream().map(row -> key(row.function(), row.error())));
  }

  static String key(String function, String error) {
    return function + " " + error;
  }

  private Map<String, String> row(String function) {
    return functions.stream()
        .filter(row -> row.get("name").equals(function))
        .findFirst()
        .orElseThrow();
  }

  private static String names(
      Stream<Class<?>> types, String function, Function<Class<?>, String> prefix) {
    return types
        .flatMap(
            type ->
                ProductClasses.publicMethods(type).stream()
                    .filter(method -> functionsOf(method).contains(function))
                    .map(method -> "`" + prefix.apply(type) + method.getName() + "`"))
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static Set<String> findRust() {
    return Sources.under("native/jvmti/src", ".rs").stream()
        .filter(file -> !file.toString().contains("/sys/"))
        .flatMap(file -> ALIAS.matcher(Sources.text(file)).results())
        .map(result -> result.group(1))
        .collect(Collectors.toSet());
  }

  private static Set<String> findNatives() {
    return ProductClasses.internal().stream()
        .filter(type -> type.getSimpleName().endsWith("Natives"))
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  /** The functions that a test of the safe layer plays itself. */
  private static Set<String> findTriedOnAFakeTable() {
    return Sources.under("native/jvmti/tests/layer", ".rs").stream()
        .flatMap(file -> SLOT.matcher(Sources.text(file)).results())
        .map(result -> result.group(1))
        .collect(Collectors.toSet());
  }

  private static Stream<Class<?>> publicTypes() {
    return ProductClasses.exported().stream();
  }

  private static List<String> functionsOf(Method method) {
    JvmtiFunction annotation = method.getAnnotation(JvmtiFunction.class);
    return annotation == null ? List.of() : List.of(annotation.value());
  }

  /**
   * The functions that a test calls. The registries of errors call every function and are no test
   * that one works; other tests use them.
   */
  private static Set<String> findTested() {
    return TestCalls.inTheirRooms(
        Sources.under("tests/functions", "Test.java").stream()
            .filter(file -> !file.getParent().endsWith("errors"))
            .toList());
  }
}
