package io.jvmtools.examples;

import io.jvmtools.snapshot.SnapshotFrame;
import io.jvmtools.snapshot.SnapshotVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of at most 100 columns, of which the parts of the report for a person are made. */
final class Page {

  static final int WIDTH = 100;

  private static final int METHOD_WIDTH = 62;
  private static final int BAR_WIDTH = 40;

  private final Style style = Style.OUT;
  private final StringBuilder text = new StringBuilder();

  void heading(String title, String remark) {
    int rest = WIDTH - title.length() - remark.length() - 4;
    line("");
    line(style.bold(title) + "  " + remark + "  " + style.faint(style.line(rest)));
  }

  void line(String format, Object... values) {
    line(format(format, values));
  }

  void line(String line) {
    text.append(line).append(System.lineSeparator());
  }

  void names(String title, List<String> names) {
    StringBuilder line = new StringBuilder(title);
    String separator = " ";
    for (String name : names) {
      if (line.length() + separator.length() + name.length() >= WIDTH) {
        line(line + ",");
        line.setLength(0);
        separator = "   ";
      }
      line.append(separator).append(name);
      separator = ", ";
    }
    line(line.toString());
  }

  void frame(StackTraceElement frame) {
    String left = "    " + clip(frame.getClassName() + "." + frame.getMethodName(), METHOD_WIDTH);
    String gap = " ".repeat(METHOD_WIDTH + 6 - left.length());
    line(left + gap + style.faint(clip(place(frame), WIDTH - METHOD_WIDTH - 6)));
  }

  private static String place(StackTraceElement frame) {
    if (frame.isNativeMethod()) {
      return "native";
    }
    String file = frame.getFileName();
    return file == null ? "no source" : file + ":" + frame.getLineNumber();
  }

  /** A frame, and what its variables held. */
  void frame(SnapshotFrame frame) {
    frame(frame.element());
    for (SnapshotVariable variable : frame.variables()) {
      line(cut("      " + variable, WIDTH));
    }
  }

  /** Where the stack enters each package, from the top: the way, without every step of it. */
  static List<StackTraceElement> way(List<StackTraceElement> stack) {
    List<StackTraceElement> way = new ArrayList<>();
    String last = "";
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      String group = name.substring(0, name.lastIndexOf('.') + 1);
      if (way.isEmpty() || !isOfJdk(name) && !group.equals(last)) {
        way.add(frame);
      }
      last = group;
    }
    return way;
  }

  private static boolean isOfJdk(String className) {
    return className.startsWith("java.") || className.startsWith("jdk.");
  }

  /** A bar for a table of amounts, of which one is the largest. */
  String bar(long amount, long largest) {
    return style.green(style.bar((int) Math.ceil((double) amount * BAR_WIDTH / largest)));
  }

  static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Of the name of a class or a method the end is what tells. */
  static String clip(String text, int width) {
    return text.length() <= width ? text : "..." + text.substring(text.length() - width + 3);
  }

  /** Of what a variable holds the beginning is what tells. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 3) + "...";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
