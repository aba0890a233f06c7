package io.jvmtools.coverage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The paths that a Rust file is written with, in {@code use} and in code. */
final class RustPaths {

  /**
   * A path.
   *
   * @param inline the modules of the file in whose braces it stands
   * @param imported whether it stands in {@code use}, which then calls it {@code name}
   * @param glob whether everything that it leads to is meant
   */
  record Found(
      List<String> inline,
      int line,
      List<String> path,
      boolean imported,
      String name,
      boolean glob) {}

  private record Token(String text, int line) {
    boolean is(String other) {
      return text.equals(other);
    }

    boolean isName() {
      return Character.isLetter(text.charAt(0)) || text.charAt(0) == '_';
    }
  }

  private static final String RAW_STRING = "[bc]?r(?<hashes>#*)\"(?:.*?)\"\\k<hashes>";
  private static final String STRING = "[bc]?\"[^\"\\\\]*(?:\\\\.[^\"\\\\]*)*\"";
  private static final String CHARACTER = "b?'(?:\\\\(?:u\\{[^}]*}|x..|.)|[^\\\\'])'";
  private static final String LIFETIME = "'\\w+";

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<left>//[^\\n]*|/\\*.*?\\*/|%s|%s|%s|%s|\\s+)|(?:r#)?(?<name>[\\p{L}_]\\w*)|::|."
              .formatted(RAW_STRING, STRING, CHARACTER, LIFETIME),
          Pattern.DOTALL);

  /** A module in braces, and how many braces are around it. */
  private record Inline(String name, int depth) {}

  private final List<Token> tokens;
  private final List<Found> found = new ArrayList<>();
  private final Deque<Inline> inline = new ArrayDeque<>();
  private int at;

  private RustPaths(List<Token> tokens) {
    this.tokens = tokens;
  }

  /** All of them, as they stand in the text of a file. */
  static List<Found> in(String text) {
    RustPaths paths = new RustPaths(tokens(text));
    paths.read();
    return paths.found;
  }

  private static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    int line = 1;
    while (matcher.find()) {
      if (matcher.group("left") == null) {
        String name = matcher.group("name");
        tokens.add(new Token(name != null ? name : matcher.group(), line));
      }
      line += (int) matcher.group().chars().filter(c -> c == '\n').count();
    }
    return tokens;
  }

  private void read() {
    int depth = 0;
    while (at < tokens.size()) {
      Token token = tokens.get(at);
      if (token.is("{")) {
        depth++;
        at++;
      } else if (token.is("}")) {
        depth--;
        at++;
        if (!inline.isEmpty() && inline.peekLast().depth() == depth) {
          inline.removeLast();
        }
      } else if (token.is("mod") && token(2).is("{")) {
        inline.addLast(new Inline(token(1).text(), depth));
        at += 2;
      } else if (token.is("use") && (token(1).isName() || token(1).is("{"))) {
        at++;
        readImports(List.of());
      } else if (token.isName() && startsPath()) {
        readPath();
      } else {
        at++;
      }
    }
  }

  private boolean startsPath() {
    boolean visibility = token(-1).is("in") && token(-2).is("(") && token(-3).is("pub");
    return !token(-1).is("::") && !token(-1).is(".") && !visibility;
  }

  private void readPath() {
    Token first = tokens.get(at);
    List<String> path = segments(List.of());
    if (path.size() > 1) {
      add(first, path, false, null, false);
    }
  }

  /** Reads names with {@code ::} between them, and behind the last one if more is to come. */
  private List<String> segments(List<String> prefix) {
    List<String> path = new ArrayList<>(prefix);
    while (token(0).isName()) {
      path.add(token(0).text());
      at++;
      if (!token(0).is("::")) {
        break;
      }
      at++;
    }
    return path;
  }

  /** Reads one tree of {@code use}: a path, what it is called, or everything, or a group. */
  private void readImports(List<String> prefix) {
    Token first = token(0);
    List<String> path = segments(prefix);
    if (token(0).is("{")) {
      do {
        at++;
        if (!token(0).is("}")) {
          readImports(path);
        }
      } while (token(0).is(","));
      at++;
      return;
    }
    boolean glob = token(0).is("*");
    if (glob) {
      at++;
    }
    if (path.size() > 1 && path.get(path.size() - 1).equals("self")) {
      path.remove(path.size() - 1);
    }
    String name = path.isEmpty() ? "" : path.get(path.size() - 1);
    if (token(0).is("as")) {
      name = token(1).text();
      at += 2;
    }
    if (!path.isEmpty()) {
      add(first, path, true, name, glob);
    }
  }

  private void add(Token first, List<String> path, boolean imported, String name, boolean glob) {
    List<String> modules = inline.stream().map(Inline::name).toList();
    found.add(new Found(modules, first.line(), List.copyOf(path), imported, name, glob));
  }

  /** The token so many after the one that is read. */
  private Token token(int after) {
    int index = at + after;
    boolean there = index >= 0 && index < tokens.size();
    return there ? tokens.get(index) : new Token(";", 0);
  }
}
