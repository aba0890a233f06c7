package io.jvmtools.neighbour;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The outcome of a program for people, and as JSON. */
final class Table {

  private static final String LABEL = "%-26s";
  private static final String COLUMN = "%26s";

  private final Program program;
  private final Jdk jdk;
  private final Options options;
  private final List<Watched> all;

  Table(Program program, Jdk jdk, Options options, List<Watched> all) {
    this.program = program;
    this.jdk = jdk;
    this.options = options;
    this.all = all;
  }

  /** A column for each JVM. */
  void print(PrintStream out) {
    out.printf("%n%s%n", title());
    row(out, "", watched -> watched.company().toString());
    for (Figure figure : Figure.values()) {
      row(out, figure.toString(), watched -> cell(watched, figure));
    }
    for (Watched watched : all) {
      List<String> complaints = watched.complaints();
      String verdict = complaints.isEmpty() ? "right" : String.join("; ", complaints);
      out.printf("%s: %s%n", watched.company(), verdict);
      if (!complaints.isEmpty()) {
        out.printf("  %s%n", watched.log());
      }
    }
  }

  /** A line for each JVM. */
  void printJson(PrintStream out) {
    for (Watched watched : all) {
      out.printf(
          Locale.ROOT,
          "{\"program\":\"%s\",\"jvm\":\"%s\",\"collector\":\"%s\",\"seconds\":%d,\"end\":\"%s\","
              + "\"company\":\"%s\",%s,\"complaints\":[%s]}%n",
          program,
          jdk.about(),
          options.collector(),
          options.seconds(),
          options.ending(),
          watched.company(),
          List.of(Figure.values()).stream()
              .map(figure -> json(watched, figure))
              .collect(Collectors.joining(",")),
          watched.complaints().stream()
              .map(complaint -> '"' + complaint + '"')
              .collect(Collectors.joining(",")));
    }
  }

  /** How it goes just now. */
  static String line(Watched watched, String doing) {
    String line =
        String.format(
            Locale.ROOT,
            "%4d s  %-11s right %s, wrong %s, longest wait %s",
            watched.seconds(),
            watched.company(),
            cell(watched, Figure.RIGHT),
            cell(watched, Figure.WRONG),
            cell(watched, Figure.WAIT_LONGEST));
    return watched.company() == Company.NEIGHBOUR
        ? line + ", round " + cell(watched, Figure.ROUNDS) + ", " + doing
        : line;
  }

  private String title() {
    return String.format(
        Locale.ROOT,
        "%s, JDK %s, %s, %d s, ends by %s",
        program.name().toLowerCase(Locale.ROOT),
        jdk.about(),
        options.collector(),
        options.seconds(),
        options.ending().name().toLowerCase(Locale.ROOT));
  }

  private void row(PrintStream out, String label, Function<Watched, String> cell) {
    out.printf(LABEL, label);
    all.forEach(watched -> out.printf(COLUMN, cell.apply(watched)));
    out.println();
  }

  private static String cell(Watched watched, Figure figure) {
    if (Levels.FIGURES.contains(figure)) {
      Levels levels = watched.levels();
      return figure.text(levels.first(figure)) + " -> " + figure.text(levels.second(figure));
    }
    Long value = watched.figures().get(figure);
    return value == null ? "-" : figure.text(value);
  }

  private static String json(Watched watched, Figure figure) {
    String name = '"' + figure.name().toLowerCase(Locale.ROOT);
    if (Levels.FIGURES.contains(figure)) {
      Levels levels = watched.levels();
      return name
          + "_first\":"
          + levels.first(figure)
          + ","
          + name
          + "_second\":"
          + levels.second(figure);
    }
    return name + "\":" + watched.figures().get(figure);
  }
}
