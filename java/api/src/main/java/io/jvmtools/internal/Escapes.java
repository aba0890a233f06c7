package io.jvmtools.internal;

/** Text of the program, which can hold anything, made fit for a line or for JSON. */
public final class Escapes {

  private static final char NO_QUOTE = '\0';

  private Escapes() {}

  /**
   * What stays on one line, without quotes around it.
   *
   * @param text any text
   * @return the same, escaped where it must be
   */
  public static String line(String text) {
    return escape(text, NO_QUOTE);
  }

  /**
   * What goes between two of these quotes. Between double ones it is the inside of a JSON string.
   *
   * @param text any text
   * @param quote the quote
   * @return the same, escaped where it must be
   */
  public static String quoted(String text, char quote) {
    return escape(text, quote);
  }

  private static String escape(String text, char quote) {
    int first = 0;
    while (first < text.length() && isPlain(text, first, quote)) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(text, i, quote)) {
        escaped.append(c);
        continue;
      }
      switch (c) {
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        case '\'', '"', '\\' -> escaped.append('\\').append(c);
        default -> escaped.append(String.format("\\u%04x", (int) c));
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(String text, int at, char quote) {
    char c = text.charAt(at);
    if (quote != NO_QUOTE && (c == quote || c == '\\')) {
      return false;
    }
    if (Character.isSurrogate(c)) {
      return isPaired(text, at);
    }
    return !Character.isISOControl(c) && c != '\u2028' && c != '\u2029';
  }

  private static boolean isPaired(String text, int at) {
    char c = text.charAt(at);
    return Character.isHighSurrogate(c)
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
