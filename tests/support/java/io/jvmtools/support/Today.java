package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;

/** The number by which what need not all run each time takes its turn. */
public final class Today {

  private Today() {}

  /**
   * What {@code -Pshare=N} says, or else the number of the day on which this run of the build
   * began.
   */
  public static int number() {
    String chosen = System.getProperty("jvmtools.test.share", "");
    return chosen.isEmpty() ? (int) day().toEpochDay() : Integer.parseInt(chosen);
  }

  /**
   * The build has the list of JDKs written anew each time: all suites agree, also past midnight.
   */
  private static LocalDate day() {
    String jdks = System.getProperty("jvmtools.test.jdks");
    if (jdks == null) {
      return LocalDate.now();
    }
    try {
      return LocalDate.ofInstant(
          Files.getLastModifiedTime(Path.of(jdks)).toInstant(), ZoneId.systemDefault());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
