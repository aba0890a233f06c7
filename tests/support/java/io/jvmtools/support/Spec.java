package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of spec/. */
public final class Spec {

  private Spec() {}

  /** The rows of a table, each by column. */
  public static List<Map<String, String>> rows(String table) {
    try {
      List<String> lines =
          Files.readAllLines(Installation.root().resolve("spec/" + table + ".tsv"));
      String[] columns = lines.get(0).split("\t", -1);
      return lines.stream().skip(1).map(line -> row(columns, line.split("\t", -1))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the JDK of this JVM has what the row describes. */
  public static boolean isHere(Map<String, String> row) {
    return Integer.parseInt(row.get("since")) <= Installation.feature();
  }

  private static Map<String, String> row(String[] columns, String[] cells) {
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < columns.length; i++) {
      row.put(columns[i], cells[i]);
    }
    return row;
  }
}
