package io.jvmtools.examples;

import java.io.Console;
import java.nio.charset.Charset;

/** Colours for a terminal, and characters that it can show. */
final class Style {

  static final Style OUT = new Style();

  private final boolean terminal = isOnTerminal();
  private final boolean colour = terminal && System.getenv("NO_COLOR") == null;
  private final boolean unicode = canShow('\u2588');

  private Style() {}

  boolean isTerminal() {
    return terminal;
  }

  String red(String text) {
    return paint("31", text);
  }

  String green(String text) {
    return paint("32", text);
  }

  String yellow(String text) {
    return paint("33", text);
  }

  String bold(String text) {
    return paint("1", text);
  }

  String faint(String text) {
    return paint("2", text);
  }

  String bar(int length) {
    return (unicode ? "\u2588" : "#").repeat(length);
  }

  String line(int length) {
    return (unicode ? "\u2500" : "-").repeat(length);
  }

  private String paint(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /** From JDK 22 on there is a console without a terminal, and a method that tells. */
  private static boolean isOnTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException beforeJdk22) {
      return true;
    }
  }

  private static boolean canShow(char character) {
    String encoding = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
    return Charset.forName(encoding).newEncoder().canEncode(character);
  }
}
