package io.jvmtools.functions.errors;

import io.jvmtools.support.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Both registries, of all stems. */
public final class Errors {

  private static final List<ErrorRows> ROWS = find();

  private Errors() {}

  /** What Java provokes. */
  public static List<Provocation> provoked() {
    return ROWS.stream().flatMap(rows -> rows.provoked().stream()).toList();
  }

  /** What Java cannot provoke. */
  public static List<Impossible> impossible() {
    List<Impossible> all =
        new ArrayList<>(ROWS.stream().flatMap(rows -> rows.impossible().stream()).toList());
    Set<String> byHand =
        Stream.concat(
                provoked().stream().map(row -> row.function() + " " + row.error()),
                all.stream().map(Impossible::toString))
            .collect(Collectors.toSet());
    all.addAll(Implied.rows(byHand));
    return all;
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
