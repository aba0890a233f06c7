package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rooms of the library, its packages, and those of its tests: which may know which, and what is
 * seen of them outside.
 */
class JavaRoomsTest {

  private static final String ROOT = JavaRooms.ROOT;

  private static final JavaRooms LIBRARY = new JavaRooms("java/api/src/main/java");
  private static final JavaRooms TESTS = new JavaRooms("tests");

  @Test
  void noRoomsKnowEachOther() {
    assertThat(LIBRARY.arrows()).containsKeys("io.jvmtools.thread", "io.jvmtools.internal.thread");
    assertThat(LIBRARY.circles())
        .as(
            "Rooms that know each other, by whatever way, can only be understood together, and"
                + " nothing can be added to one alone. Take one of these arrows out: move what is"
                + " needed to the lower room, or hand it over through internal.Makers. Only %s may"
                + " know all and be known by all",
            ROOT)
        .isEmpty();
  }

  @Test
  void noRoomsOfTheTestsKnowEachOther() {
    assertThat(TESTS.arrows().get("io.jvmtools.oracle")).containsKey("io.jvmtools.oracle.scenes");
    assertThat(TESTS.circles())
        .as("Take one of these arrows out: move what is needed to the lower room")
        .isEmpty();
  }

  @Test
  void whatIsInternalKnowsNoPublicRoom() {
    List<String> arrowsUp = new ArrayList<>();
    LIBRARY
        .arrows()
        .forEach(
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
    LIBRARY.folders().values().stream()
        .flatMap(Set::stream)
        .forEach(
            folder -> assertThat(purpose(folder)).as(folder.toString()).contains("@NullMarked"));
  }

  @Test
  void everyRoomOfTheTestsSaysWhatItIsFor() {
    TESTS
        .folders()
        .forEach(
            (room, folders) -> {
              if (room.startsWith(ROOT + ".") && !LIBRARY.folders().containsKey(room)) {
                assertThat(folders).as(room).singleElement().satisfies(JavaRoomsTest::purpose);
              }
            });
  }

  @Test
  void nothingPublicShowsAnInternalType() {
    List<String> shown = new ArrayList<>();
    for (Class<?> type : ProductClasses.exported()) {
      Stream<Type> bounds =
          Stream.of(type.getTypeParameters()).flatMap(one -> Stream.of(one.getBounds()));
      Stream<Type> permitted = Stream.ofNullable(type.getPermittedSubclasses()).flatMap(Stream::of);
      Stream.of(
              Stream.of(type.getGenericInterfaces()),
              Stream.ofNullable(type.getGenericSuperclass()),
              bounds,
              permitted)
          .flatMap(types -> types)
          .map(Type::getTypeName)
          .filter(JavaRoomsTest::namesInternal)
          .forEach(other -> shown.add(type + " is declared with " + other));
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

  /** An import of it would need quotes there. */
  @Test
  void noPublicPackageIsAWordOfAnotherLanguage() {
    Set<String> words =
        Set.of(
            // Kotlin's
            ("as class continue do else false for fun if in interface is null object package"
                    + " return super this throw true try typealias typeof val var when while"
                    // Scala's
                    + " abstract case catch def enum export extends final finally forSome given"
                    + " implicit lazy match new override private protected sealed then trait type"
                    + " with yield")
                .split(" ", -1));
    assertThat(ProductClasses.exported().stream().map(Class::getPackageName).distinct())
        .hasSizeGreaterThan(5)
        .allSatisfy(name -> assertThat(name.split("\\.", -1)).doesNotContainAnyElementsOf(words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import io.jvmtools.dump.Parts; class A { Parts parts; }",
        "import io.jvmtools.dump.*; class A {}",
        "import static io.jvmtools.dump.Parts.*; class A {}",
        "import static io.jvmtools.dump.Parts.ALL; class A { Object a = ALL; }",
        "class A { io.jvmtools.dump.Parts parts; }",
        "class A { io.jvmtools\n  .dump\n  .Parts parts; }",
        "class A { String a = \"//\" + io.jvmtools.dump.Parts.class; }",
        "class A { String a = \"\\\"/*\" + io.jvmtools.dump.Parts.class + \"*/\"; }",
        "class A { char a = '\"'; io.jvmtools.dump.Parts parts; /* \" */ }",
      })
  void everyFormOfANameIsSeen(String source) {
    assertThat(JavaRooms.named(source.replace("; ", ";\n"))).containsExactly("io.jvmtools.dump");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import io.jvmtools.dump.Parts; /** {@link Parts} */ class A {}",
        "/** {@link io.jvmtools.dump.Parts} */ class A {}",
        "class A {} // io.jvmtools.dump.Parts",
        "class A { String a = \"io.jvmtools.dump.Parts\"; }",
        "class A { String a = \"\"\"\n \" io.jvmtools.dump.Parts \"\"\"; }",
      })
  void whatOnlyTextSaysIsNoName(String source) {
    assertThat(JavaRooms.named(source.replace("; ", ";\n"))).isEmpty();
  }

  private static String purpose(Path folder) {
    Path info = folder.resolve("package-info.java");
    assertThat(info).as("the purpose of a room, in its first line").exists();
    assertThat(Sources.text(info)).as(info.toString()).startsWith("/**");
    return Sources.text(info);
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
