package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rooms of the library, its packages: which may know which, and what is seen of them outside.
 *
 * <p>Arrows are read from the imports, without a library for it: the sources also show what the
 * compiler copies into a class, and a name in full counts in code and not in documentation.
 */
class JavaRoomsTest {

  private static final String ROOT = "io.jvmtools";
  private static final String SOURCES = "java/api/src/main/java";
  private static final Pattern NAME = Pattern.compile("\\bio((?:\\.[a-z]\\w*)+)\\.[A-Z*]");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

  /** From a room to those it knows, each with a file that says so. */
  private final Map<String, Map<String, String>> arrows = readArrows();

  @Test
  void noRoomsKnowEachOther() {
    assertThat(arrows).containsKeys("io.jvmtools.thread", "io.jvmtools.internal.thread");
    List<String> circles = new ArrayList<>();
    for (String room : arrows.keySet()) {
      circle(new ArrayList<>(List.of(room))).ifPresent(way -> circles.add(describe(way)));
    }
    assertThat(circles)
        .as(
            "Rooms that know each other, by whatever way, can only be understood together, and"
                + " nothing can be added to one alone. Take one of these arrows out: move what is"
                + " needed to the lower room, or hand it over through internal.Makers. Only %s may"
                + " know all and be known by all",
            ROOT)
        .isEmpty();
  }

  @Test
  void whatIsInternalKnowsNoPublicRoom() {
    List<String> arrowsUp = new ArrayList<>();
    arrows.forEach(
        (room, known) ->
            known.forEach(
                (other, file) -> {
                  if (isInternal(room) && !isInternal(other)) {
                    arrowsUp.add(room + " -> " + other + " (" + file + ")");
                  }
                }));
    assertThat(arrowsUp)
        .as("A public room stands on internal ones, which are there before it and without it")
        .isEmpty();
  }

  @Test
  void everyRoomSaysWhatItIsFor() {
    List<Path> packages = Sources.under(SOURCES, ".java").stream().map(Path::getParent).toList();
    for (Path folder : new LinkedHashSet<>(packages)) {
      if (!folder.endsWith(SOURCES)) {
        Path info = folder.resolve("package-info.java");
        assertThat(info).as("the purpose of a room, in its first line").exists();
        assertThat(Sources.text(info))
            .as(info.toString())
            .startsWith("/**")
            .contains("@NullMarked");
      }
    }
  }

  @Test
  void nothingPublicShowsAnInternalType() {
    List<String> shown = new ArrayList<>();
    for (Class<?> type : ProductClasses.exported()) {
      Stream.concat(
              Stream.of(type.getGenericInterfaces()),
              Stream.ofNullable(type.getGenericSuperclass()))
          .map(Type::getTypeName)
          .filter(JavaRoomsTest::namesInternal)
          .forEach(parent -> shown.add(type + " is a " + parent));
      Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
          .flatMap(Arrays::stream)
          .filter(member -> isVisible(member.getModifiers()))
          .map(JavaRoomsTest::signature)
          .filter(JavaRoomsTest::namesInternal)
          .forEach(shown::add);
    }
    assertThat(shown)
        .as(
            "Users would see a type that they cannot name. Keep the member to its package, and"
                + " hand it over to other rooms through internal.Makers")
        .isEmpty();
  }

  @Test
  void nothingPublicIsCalledLikeATypeThatEverybodyImports() {
    List<String> taken = new ArrayList<>();
    for (Class<?> type : ProductClasses.exported()) {
      for (String everywhere : List.of("java.lang.", "java.util.")) {
        if (exists(everywhere + type.getSimpleName())) {
          taken.add(type.getName() + " beside " + everywhere + type.getSimpleName());
        }
      }
    }
    assertThat(taken)
        .as("Ambiguous beside java.util.*, or hides what java.lang has: choose another name")
        .isEmpty();
  }

  private Optional<List<String>> circle(List<String> way) {
    for (String next : arrows.getOrDefault(way.get(way.size() - 1), Map.of()).keySet()) {
      if (next.equals(way.get(0))) {
        way.add(next);
        return Optional.of(way);
      }
      // Each circle is told once, from its first room in the order of the alphabet.
      if (!way.contains(next) && next.compareTo(way.get(0)) > 0) {
        List<String> further = new ArrayList<>(way);
        further.add(next);
        var found = circle(further);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private String describe(List<String> way) {
    StringBuilder text = new StringBuilder(way.get(0));
    for (int i = 1; i < way.size(); i++) {
      String file = arrows.get(way.get(i - 1)).get(way.get(i));
      text.append(" -> ").append(way.get(i)).append(" (").append(file).append(')');
    }
    return text.toString();
  }

  private static Map<String, Map<String, String>> readArrows() {
    Map<String, Map<String, String>> arrows = new TreeMap<>();
    Path root = Installation.root().resolve(SOURCES);
    for (Path file : Sources.under(SOURCES, ".java")) {
      if (file.getParent().equals(root)) {
        continue;
      }
      String room = root.relativize(file.getParent()).toString().replace('/', '.');
      Map<String, String> known = arrows.computeIfAbsent(room, none -> new TreeMap<>());
      Matcher names = NAME.matcher(COMMENT.matcher(code(file)).replaceAll(""));
      while (names.find()) {
        String other = "io" + names.group(1);
        if (!other.equals(room) && !other.equals(ROOT) && !room.equals(ROOT)) {
          known.putIfAbsent(other, file.getFileName().toString());
        }
      }
    }
    return arrows;
  }

  /** The text of a file without the imports that only its documentation needs. */
  private static String code(Path file) {
    String text = Sources.text(file);
    String body = COMMENT.matcher(text.replaceAll("(?m)^import .*$", "")).replaceAll("");
    return text.lines()
        .filter(line -> !line.startsWith("import ") || isUsed(line, body))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isUsed(String line, String body) {
    String simple = line.replaceAll(".*\\.(\\w+);$", "$1");
    return Pattern.compile("\\b" + simple + "\\b").matcher(body).find();
  }

  private static boolean isInternal(String room) {
    return room.startsWith(ROOT + ".internal");
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** With type arguments, bounds and exceptions. */
  private static String signature(Member member) {
    return member instanceof Field field
        ? field.toGenericString()
        : ((Executable) member).toGenericString();
  }

  private static boolean namesInternal(String type) {
    return type.contains(ROOT + ".internal.");
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name, false, null);
      return true;
    } catch (ClassNotFoundException free) {
      return false;
    }
  }
}
