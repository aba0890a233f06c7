package io.jvmtools.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.coverage.CoverageTest;
import io.jvmtools.oracle.References.Kind;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Spec;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every reference that the VM answers is a local one of the thread that asks, whatever the function
 * and the kind of thread. Which functions answer references, the tables of the specification say.
 */
class ReferencesTest {

  private static final Set<String> REFERENCES =
      Set.of("jobject", "jclass", "jthread", "jthreadGroup");

  /** Before JDK 23 these are references of the thread that carries the virtual one: JDK-8328285. */
  private static final Set<String> OWNED =
      Set.of("GetOwnedMonitorInfo", "GetOwnedMonitorStackDepthInfo");

  private static final Set<String> SAFE_LAYER = CoverageTest.inTheSafeLayer();

  private static final boolean RIGHT = Installation.feature() >= 23;

  private record Count(int local, int other) {}

  private static final Map<String, Count> counts = new TreeMap<>();

  /** Without -Xcheck:jni, which ends a JVM that asks of which kind a wrong reference is. */
  @BeforeAll
  static void ask() {
    Sides.areComplete();
    ChildJvm.of(References.class)
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .withoutJniChecks()
        .run()
        .succeeds()
        .outLines()
        .stream()
        .map(line -> line.split("\t"))
        .filter(row -> row.length == 4)
        .forEach(
            row ->
                counts.put(
                    key(Kind.valueOf(row[0]), row[1]),
                    new Count(Integer.parseInt(row[2]), Integer.parseInt(row[3]))));
  }

  @Test
  void eachIsThatOfTheCaller() {
    TreeSet<String> others = new TreeSet<>(counts.keySet());
    others.removeIf(key -> counts.get(key).other() == 0);
    TreeSet<String> known = new TreeSet<>();
    if (Virtual.isHere() && !RIGHT) {
      for (String function : OWNED) {
        for (Kind kind : List.of(Kind.VIRTUAL_BLOCKED, Kind.VIRTUAL_MOUNTED)) {
          known.add(key(kind, function));
          assertThat(counts.get(key(kind, function)).local()).isZero();
        }
      }
    }
    assertThat(others).isEqualTo(known);
  }

  @Test
  void eachFunctionWasAskedAboutEachKindOfThread() {
    TreeSet<String> missing = new TreeSet<>();
    for (String function : functions()) {
      for (Kind kind : kinds()) {
        if (answers(function, kind) && !counts.containsKey(key(kind, function))) {
          missing.add(key(kind, function));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(functions()).contains("GetAllThreads", "GetThreadInfo", "GetAllStackTraces");
  }

  /** Whether there is something to answer. */
  private static boolean answers(String function, Kind kind) {
    boolean current = kind == Kind.CURRENT || kind == Kind.VIRTUAL_CURRENT;
    if (!takesThread(function)) {
      return current;
    }
    if (function.equals("GetCurrentContendedMonitor")) {
      return kind == Kind.PLATFORM || kind == Kind.VIRTUAL_BLOCKED;
    }
    return kind != Kind.VIRTUAL_UNMOUNTED
        || References.MONITORS_UNMOUNT
        || !OWNED.contains(function);
  }

  private static Set<Kind> kinds() {
    EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);
    kinds.removeIf(kind -> kind.name().startsWith("VIRTUAL") && !Virtual.isHere());
    return kinds;
  }

  /** Those of the safe layer that answer references, also inside structures. */
  private static Set<String> functions() {
    Set<String> structures =
        Spec.rows("structs").stream()
            .filter(row -> isReference(row.get("c_type")))
            .map(row -> row.get("struct"))
            .collect(Collectors.toSet());
    return parameters()
        .filter(row -> row.get("direction").matches("out|out_buf|alloc|alloc_alloc"))
        .filter(row -> isReference(row.get("c_type")) || structures.contains(type(row)))
        .map(row -> row.get("owner"))
        .filter(SAFE_LAYER::contains)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean takesThread(String function) {
    return parameters()
        .filter(row -> row.get("owner").equals(function))
        .filter(row -> row.get("direction").startsWith("in"))
        .anyMatch(row -> type(row).equals("jthread"));
  }

  private static Stream<Map<String, String>> parameters() {
    return Spec.rows("parameters").stream().filter(row -> row.get("of").equals("function"));
  }

  private static boolean isReference(String type) {
    return REFERENCES.contains(base(type));
  }

  private static String type(Map<String, String> row) {
    return base(row.get("c_type"));
  }

  private static String base(String type) {
    return type.replaceAll("const |[* ]", "");
  }

  private static String key(Kind kind, String function) {
    return function + " " + kind;
  }
}
