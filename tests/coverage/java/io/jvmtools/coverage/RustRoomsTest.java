package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rooms of {@code native/agent/src}: its {@code lib.rs} names them from the lowest to the
 * highest, and no file names one of a higher room. Nor do files name each other in a circle, there,
 * in {@code native/specgen/src} or in {@code native/jvmti/src}.
 */
class RustRoomsTest {

  private static final String AGENT = "native/agent/src";

  private final Path agent = Installation.root().resolve(AGENT);

  /** The lowest first. */
  private final List<String> rooms =
      Pattern.compile("(?m)^mod (\\w+);")
          .matcher(Sources.text(agent.resolve("lib.rs")))
          .results()
          .map(module -> module.group(1))
          .toList();

  /** It asks a user's class loader; the JDK's classes are named through {@code vm/jdk.rs}. */
  @Test
  void onlyOurOwnClassesAndThoseOfTheOptionsAreFoundThroughTheCaller() {
    assertThat(Sources.under("native/agent/src", ".rs"))
        .filteredOn(file -> Sources.text(file).contains(".find_class("))
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrder("classes.rs", "startup.rs");
  }

  @Test
  void noRoomNamesAHigherOne() {
    List<String> forbidden = new ArrayList<>();
    for (RustModules.Arrow arrow : RustModules.in(AGENT).arrows()) {
      String from = room(arrow.from());
      String to = room(arrow.to());
      if (rooms.indexOf(to) > rooms.indexOf(from)) {
        forbidden.add(
            ("%s: '%s' is below '%s' (lib.rs) and must not name it. What is wanted from there"
                 + " belongs lower, or is told to '%s' by a higher room, as entry/arrival.rs does")
                .formatted(arrow, from, to, from));
      }
    }
    assertThat(forbidden).isEmpty();
  }

  @Test
  void noFilesNameEachOtherInACircle() {
    assertThat(circles(RustModules.in(AGENT))).isEmpty();
    assertThat(circles(RustModules.in("native/specgen/src"))).isEmpty();
    // An environment is a pointer to a table of functions that take environments.
    assertThat(circles(RustModules.in("native/jvmti/src")))
        .allMatch(way -> !Pattern.compile("(?m)^  (?!sys/)").matcher(way).find());
  }

  /** Each lets a file use what it does not name, or under a name that is no path. */
  @Test
  void nothingIsNamedInAWayThatIsNotSeen() {
    Pattern unseen =
        Pattern.compile(
            "#\\[path|extern crate|macro_export|(?m)^impl(<[^>]*>)? (crate|super)::[\\w:]+(<.*>)?"
                + " \\{");
    for (String crate : List.of(AGENT, "native/specgen/src", "native/jvmti/src")) {
      for (Path file : Sources.under(crate, ".rs")) {
        // The macro of the crate for others, and the JNI environment of the unit tests.
        if (!file.endsWith("jvmti/src/agent.rs") && !file.endsWith("agent/src/vm/mod.rs")) {
          assertThat(unseen.matcher(Sources.text(file)).results().map(MatchResult::group))
              .as(file.toString())
              .isEmpty();
        }
      }
    }
  }

  @Test
  void eachRoomSaysWhatItIsFor() {
    for (String room : rooms) {
      boolean folder = agent.resolve(room).toFile().isDirectory();
      Path file = agent.resolve(folder ? room + "/mod.rs" : room + ".rs");
      assertThat(Sources.lines(file).stream().filter(line -> !line.matches("|// Generated .*")))
          .as(room)
          .first()
          .asString()
          .matches("//! [A-Z].{20,}");
    }
  }

  @Test
  void thePictureIsThatOfTheSource() {
    String architecture = Sources.text(Installation.root().resolve("ARCHITECTURE.md"));
    String picture = architecture.replaceFirst("(?s).*?\n## Rooms\n.*?\n```\n(.*?)\n```.*", "$1");
    List<String> drawn = new ArrayList<>(picture.lines().map(line -> line.split(" ")[0]).toList());
    Collections.reverse(drawn);
    assertThat(drawn).as("from the lowest to the highest").isEqualTo(rooms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "use crate::high::top;",
        "use crate::high::top::Thing;",
        "pub(crate) use crate::high::top::Thing as Other;",
        "use crate::{base, high::top};",
        "use crate::{base, high::{self, top::{self, Thing}}};",
        "use super::super::high::top::*;",
        "use self::super::super::high::top::Thing;",
        "use {std::ptr, crate::high::top::Thing};",
        "use crate::high; fn f() { high::top::thing(); }",
        "use crate::high as other; fn f() { other::top::thing(); }",
        "use crate::*; fn f() { high::top::thing(); }",
        "fn f() { crate::high::top::thing::<u8>(); }",
        "fn f(thing: &'static <u8 as crate::high::top::Thing>::Other) {}",
        "mod inner { fn f() { super::super::super::high::top::thing(); } }",
        "mod inner { use super::*; } use crate::high::top::Thing;",
        "macro_rules! m { () => { $crate::high::top::thing() } }",
        "const C: [char; 2] = ['\"', '\\'']; use crate::high::top::Thing;",
        "const S: &str = r#\"a \" quote\"#; use crate::high::top::Thing;",
        "fn f() { use crate::high::top::Thing; }",
      })
  void everyFormOfAPathIsSeen(String source) {
    assertThat(named("low/one.rs", source)).contains("high/top.rs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// crate::high::top",
        "/* use crate::high::top; */",
        "const S: &str = \"crate::high::top\";",
        "use high::top; fn f() { top::thing(); }",
        "use ::high::top;",
        "pub(in crate::high::top) fn f() {}",
        "use std::thread; fn f(high: u8) { thread::spawn(high); }",
      })
  void whatIsNoPathIsNone(String source) {
    assertThat(named("low/one.rs", source)).isEmpty();
  }

  @Test
  void aFolderNamesItsFilesInItsOwnWay() {
    assertThat(named("high/mod.rs", "mod top;")).isEmpty();
    assertThat(named("high/mod.rs", "mod top; fn f() { top::thing(); }")).contains("high/top.rs");
    assertThat(named("high/mod.rs", "mod top; pub use top::Thing;")).contains("high/top.rs");
    assertThat(named("high/top.rs", "use super::thing;")).containsExactly("high/mod.rs");
    assertThat(named("high/top.rs", "use crate::Thing;")).containsExactly("lib.rs");
  }

  @Test
  void aCircleIsFound() {
    RustModules crate =
        new RustModules(
            Map.of(
                "lib.rs", "mod a; mod b; mod c;",
                "a.rs", "use crate::b::B;",
                "b.rs", "use crate::c;",
                "c.rs", "\n\nfn f() { crate::a::f(); }"));
    assertThat(circles(crate)).hasSize(1).first().asString().contains("c.rs:3 names crate::a::f");
  }

  private static List<String> named(String file, String source) {
    Map<String, String> texts = new HashMap<>();
    for (String one :
        List.of("lib.rs", "base.rs", "low/mod.rs", "low/one.rs", "high/mod.rs", "high/top.rs")) {
      texts.put(one, "");
    }
    texts.put(file, source);
    return new RustModules(texts).arrows().stream().map(RustModules.Arrow::to).toList();
  }

  private static List<String> circles(RustModules crate) {
    return crate.circles().stream()
        .map(way -> String.join("\n  ", way.stream().map(RustModules.Arrow::toString).toList()))
        .map(way -> "a circle, to be broken where the lower one names the higher:\n  " + way)
        .toList();
  }

  private static String room(String file) {
    return file.replaceFirst("(\\.rs|/.*)$", "");
  }
}
