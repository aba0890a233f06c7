package io.jvmtools.coverage;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which functions the code of tests calls through a public method; what a comment, the Javadoc or a
 * text says is no call. If a function has methods of its own, one that does several things at once
 * is no test of it.
 */
final class TestCalls {

  /** Texts are among them so that no comment begins in one. */
  static final Pattern NO_CODE =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'"
              + "|/\\*(?s:.*?)\\*/|//[^\\n]*");

  private static final Pattern CALL = Pattern.compile("(?:\\.\\s*|::)(\\w+)");

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final Map<String, Set<Method>> methods = new TreeMap<>();

  private TestCalls() {
    for (Class<?> type : ProductClasses.exported()) {
      for (Method method : ProductClasses.publicMethods(type)) {
        for (String function : functions(method)) {
          methods.computeIfAbsent(function, none -> new HashSet<>()).add(method);
        }
      }
    }
  }

  /**
   * The functions that the code of one of these files calls, each in a folder that is named like a
   * room of its facets: what is called elsewhere is called on the way to something else.
   */
  static Set<String> inTheirRooms(List<Path> files) {
    TestCalls calls = new TestCalls();
    Set<String> functions = new TreeSet<>();
    for (Path file : files) {
      String room = file.getParent().getFileName().toString();
      calls.in(Sources.text(file)).stream()
          .filter(function -> calls.rooms(function).contains(room))
          .forEach(functions::add);
    }
    return functions;
  }

  /** The folders of their tests; those of the doors are in the one above. */
  private Set<String> rooms(String function) {
    Set<String> rooms =
        direct(methods.get(function)).stream()
            .map(method -> method.getDeclaringClass().getPackageName())
            .filter(name -> !name.equals(JavaRooms.ROOT))
            .map(name -> name.substring(name.lastIndexOf('.') + 1))
            .collect(Collectors.toSet());
    return rooms.isEmpty() ? Set.of("functions") : rooms;
  }

  /** The functions that the code of a Java source calls. */
  static Set<String> inSource(String text) {
    return new TestCalls().in(text);
  }

  private Set<String> in(String text) {
    String code = NO_CODE.matcher(text).replaceAll(" ");
    Set<String> words = found(WORD, 0, code);
    Set<String> called = found(CALL, 1, code);
    return methods.entrySet().stream()
        .filter(
            function ->
                direct(function.getValue()).stream()
                    .anyMatch(
                        method ->
                            called.contains(method.getName())
                                && words.stream().anyMatch(namesOf(method)::contains)))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> found(Pattern pattern, int group, String code) {
    return pattern.matcher(code).results().map(hit -> hit.group(group)).collect(Collectors.toSet());
  }

  /** Those that are about one function alone; all, if there is none. */
  private static Set<Method> direct(Set<Method> methods) {
    Set<Method> alone =
        methods.stream()
            .filter(method -> functions(method).size() == 1)
            .collect(Collectors.toSet());
    return alone.isEmpty() ? methods : alone;
  }

  private static List<String> functions(Method method) {
    JvmtiFunction function = method.getAnnotation(JvmtiFunction.class);
    return function == null ? List.of() : List.of(function.value());
  }

  /** How code names the class of a method: by its name, or as what an environment answers. */
  private static Set<String> namesOf(Method method) {
    Class<?> type = method.getDeclaringClass();
    Set<String> names =
        Arrays.stream(Jvmti.class.getMethods())
            .filter(accessor -> accessor.getReturnType() == type)
            .map(Method::getName)
            .collect(Collectors.toSet());
    names.add(type.getSimpleName());
    return names;
  }
}
