package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * {@link JvmTools} is there for every language, and says what the facets say: its Javadoc repeats
 * theirs where one reads it, and here the two are compared.
 */
class StaticDoorTest {

  /** Of an environment that a user has opened; that of the static door is another matter. */
  private static final Set<String> OF_AN_ENVIRONMENT =
      Set.of(
          "throws IllegalStateException",
          "throws MissingCapabilityException",
          "throws StalledException",
          // Times are numbers here and a Duration there, and links name the method beside.
          "return");

  /** After the methods of the door, before those that only an environment has. */
  private static final String ONLY_THERE = "<p>Only an environment of one's own";

  /** Their first sentences speak of the environment, or of each other. */
  private static final Set<String> SAYS_IT_ITS_OWN_WAY =
      Set.of("capabilities()", "threadDump()", "threadDump(DumpOptions)");

  private static final Pattern OWN_LINK = Pattern.compile("\\{@link #([^}]+)}");

  private static final Pattern LINK = Pattern.compile("\\{@link\\s(\\w+#\\w+)");

  private final Map<String, JavadocOf> door =
      JavadocOf.methodsOf(source("java/api/src/main/java/io/jvmtools", "JvmTools.java"));

  /** What is inherited does not exist for Scala, {@code Method.invoke} or Mockito. */
  @Test
  void itDeclaresItsMethodsItself() {
    assertThat(JvmTools.class.getSuperclass()).isEqualTo(Object.class);
    List<Method> methods = ProductClasses.publicMethods(JvmTools.class);
    assertThat(methods).allMatch(method -> method.getDeclaringClass() == JvmTools.class);
    assertThat(methods).allMatch(method -> Modifier.isStatic(method.getModifiers()));
    assertThat(door).hasSameSizeAs(methods);
  }

  @Test
  void eachIsInTheTableOfContents() {
    String text = Sources.text(source("java/api/src/main/java/io/jvmtools", "JvmTools.java"));
    String contents = text.substring(text.indexOf("by subject:"), text.indexOf(ONLY_THERE));
    assertThat(ProductClasses.publicMethods(JvmTools.class).stream().map(Method::getName))
        .as("methods that the list in the Javadoc of JvmTools does not have")
        .filteredOn(name -> !contents.matches("(?s).*#" + name + "\\b.*"))
        .isEmpty();
  }

  @Test
  void eachLeadsToItsTwinAndSaysTheSame() {
    Map<String, JavadocOf> facets = facets();
    List<String> differences = new ArrayList<>();
    for (JavadocOf method : door.values()) {
      int twins = 0;
      for (String reference : method.twins()) {
        JavadocOf twin = facets.get(reference);
        assertThat(twin).as(method.signature() + " leads to " + reference).isNotNull();
        compare(method, twin, differences);
        twins++;
      }
      assertThat(twins).as("@see of " + method.signature()).isPositive();
    }
    assertThat(differences).isEmpty();
  }

  /** Functions whose answer is of no use without an environment of one's own. */
  private static final Map<String, String> WITHOUT_A_TWIN = new TreeMap<>();

  static {
    WITHOUT_A_TWIN.putAll(
        Map.of(
            "GetEnvironmentLocalStorage", "the static door's environment is everybody's",
            "SetEnvironmentLocalStorage", "the static door's environment is everybody's",
            "AddCapabilities", "the static door adds what it needs by itself",
            "RelinquishCapabilities", "the static door keeps what others of the program rely on",
            "DisposeEnvironment", "the static door's environment lives as long as the JVM",
            "GetClassModifiers", "Class.getModifiers answers the same",
            "IsInterface", "Class.isInterface answers the same",
            "IsArrayClass", "Class.isArray answers the same",
            "GetClassLoader", "Class.getClassLoader answers the same"));
    for (String kind : List.of("Object", "Int", "Long", "Float", "Double")) {
      for (String access : List.of("Get", "Set")) {
        WITHOUT_A_TWIN.put(access + "Local" + kind, "who asks has the thread suspended: a tool");
      }
    }
    for (String what : List.of("Enter", "Exit", "Wait", "Notify", "NotifyAll")) {
      WITHOUT_A_TWIN.put("RawMonitor" + what, "a monitor has methods of its own");
    }
    WITHOUT_A_TWIN.put("CreateRawMonitor", "a monitor is closed with its environment");
    WITHOUT_A_TWIN.put("DestroyRawMonitor", "a monitor has methods of its own");
    for (String kind : List.of("Void", "Object", "Int", "Long", "Float", "Double")) {
      WITHOUT_A_TWIN.put("ForceEarlyReturn" + kind, "who asks has the thread suspended: a tool");
    }
    for (String placed : List.of("Breakpoint", "FieldAccessWatch", "FieldModificationWatch")) {
      for (String deed : List.of("Set", "Clear")) {
        WITHOUT_A_TWIN.put(deed + placed, "its events are those of an environment of one's own");
      }
    }
    WITHOUT_A_TWIN.put("NotifyFramePop", "its events are those of an environment of one's own");
    WITHOUT_A_TWIN.put("ClearAllFramePops", "its events are those of an environment of one's own");
    WITHOUT_A_TWIN.put(
        "SetHeapSamplingInterval", "its events are those of an environment of one's own");
    WITHOUT_A_TWIN.put("PopFrame", "who asks has the thread suspended: a tool");
    for (String fact : List.of("Name", "DeclaringClass", "Modifiers")) {
      WITHOUT_A_TWIN.put("GetMethod" + fact, "JvmMethod answers the same");
      WITHOUT_A_TWIN.put("GetField" + fact, "JvmField answers the same");
    }
    WITHOUT_A_TWIN.put("IsMethodNative", "JvmMethod answers the same");
    for (String some : List.of("", "es")) {
      WITHOUT_A_TWIN.put(
          "SetNativeMethodPrefix" + some, "the static door's environment is everybody's");
    }
    WITHOUT_A_TWIN.put("GetLocalInstance", "who asks has the thread suspended: a tool");
    WITHOUT_A_TWIN.put("GetLocalVariableTable", "who asks reads the variables next: a tool");
  }

  @Test
  void eachFunctionHasATwinOrAReasonWhyNot() {
    Set<String> here = functions(Stream.of(JvmTools.class));
    Set<String> there =
        functions(ProductClasses.exported().stream().filter(type -> type != JvmTools.class));
    there.removeAll(here);
    assertThat(WITHOUT_A_TWIN.keySet()).as("reasons for what has a twin").isSubsetOf(there);
    there.removeAll(WITHOUT_A_TWIN.keySet());
    assertThat(there)
        .as("functions without a static method in JvmTools, and without a reason in this test")
        .isEmpty();
  }

  @Test
  void whatHasNoTwinIsInTheListOfWhatOnlyAnEnvironmentHas() {
    Set<String> links = links();
    Set<String> reached =
        functions(ProductClasses.exported().stream(), method -> links.contains(name(method)));
    assertThat(WITHOUT_A_TWIN.keySet())
        .as("functions that the Javadoc of JvmTools does not lead to")
        .filteredOn(function -> !WITHOUT_A_TWIN.get(function).endsWith("answers the same"))
        .isSubsetOf(reached);
  }

  @Test
  void itLeadsToEachFacet() {
    Stream<String> twins =
        door.values().stream()
            .flatMap(method -> StreamSupport.stream(method.twins().spliterator(), false));
    assertThat(Stream.concat(twins, links().stream()).map(name -> name.replaceFirst("#.*", "")))
        .containsAll(ProductClasses.facets().stream().map(Class::getSimpleName).toList());
  }

  @Test
  void itLeadsToEachMethodOfAFacet() {
    Set<String> reached = new TreeSet<>(links());
    for (JavadocOf method : door.values()) {
      method.twins().forEach(twin -> reached.add(twin.replaceFirst("\\(.*", "")));
    }
    assertThat(
            Stream.concat(ProductClasses.facets().stream(), Stream.of(Agent.class))
                .flatMap(facet -> ProductClasses.publicMethods(facet).stream())
                .map(StaticDoorTest::name)
                .distinct())
        .as("methods to which neither a static one nor the list of what only others have leads")
        .filteredOn(name -> !reached.contains(name))
        .isEmpty();
  }

  private static Set<String> links() {
    String text = Sources.text(source("java/api/src/main/java/io/jvmtools", "JvmTools.java"));
    String list = text.substring(text.indexOf(ONLY_THERE), text.indexOf("public final class"));
    return LINK.matcher(list.replaceAll("\\s+\\*\\s+", " "))
        .results()
        .map(link -> link.group(1))
        .collect(Collectors.toSet());
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getSimpleName() + "#" + method.getName();
  }

  private static Set<String> functions(Stream<Class<?>> types) {
    return functions(types, method -> true);
  }

  private static Set<String> functions(Stream<Class<?>> types, Predicate<Method> which) {
    return types
        .flatMap(type -> ProductClasses.publicMethods(type).stream())
        .filter(which)
        .map(method -> method.getAnnotation(JvmtiFunction.class))
        .filter(Objects::nonNull)
        .flatMap(annotation -> Arrays.stream(annotation.value()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** With links to methods of the door as links to their twins. */
  private String seenFromThere(String summary) {
    return OWN_LINK
        .matcher(summary)
        .replaceAll(
            link -> {
              String twin = door.get(link.group(1)).twins().iterator().next();
              return Matcher.quoteReplacement(
                  "{@link #" + twin.substring(twin.indexOf('#') + 1) + "}");
            });
  }

  private void compare(JavadocOf method, JavadocOf twin, List<String> differences) {
    String summary = seenFromThere(method.summary());
    if (!summary.equals(twin.summary()) && !SAYS_IT_ITS_OWN_WAY.contains(method.signature())) {
      differences.add(
          "%s: %s%n  but %s: %s"
              .formatted(method.signature(), summary, twin.signature(), twin.summary()));
    }
    method
        .tags()
        .forEach(
            (tag, said) -> {
              String there = twin.tags().get(tag);
              boolean repeats = !tag.startsWith("see ") && !OF_AN_ENVIRONMENT.contains(tag);
              if (repeats && !said.equals(there)) {
                differences.add(
                    "%s @%s: %s%n  but %s: %s"
                        .formatted(method.signature(), tag, said, twin.signature(), there));
              }
            });
  }

  private static Map<String, JavadocOf> facets() {
    Map<String, JavadocOf> facets = new TreeMap<>();
    for (Path file : Sources.under("java/api/src/main/java/io/jvmtools", ".java")) {
      String type = file.getFileName().toString().replace(".java", "");
      JavadocOf.methodsOf(file)
          .forEach((signature, method) -> facets.put(type + "#" + signature, method));
    }
    return facets;
  }

  private static Path source(String folder, String name) {
    return Sources.under(folder, ".java").stream()
        .filter(file -> file.endsWith(name))
        .findFirst()
        .orElseThrow();
  }
}
