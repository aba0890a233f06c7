package io.jvmtools.examples;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.code.Instruction;
import io.jvmtools.dump.DumpedLocal;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report for a person: at most 100 columns. */
final class TextReport {

  private static final int WIDTH = 100;
  private static final int METHOD_WIDTH = 62;
  private static final int BAR_WIDTH = 40;
  private static final int SHOWN_ROWS = 5;
  private static final long SMALL_NANOS = 5_000_000;

  private final Style style = Style.OUT;
  private final StringBuilder text = new StringBuilder();

  private TextReport() {}

  static String of(Report report) {
    TextReport page = new TextReport();
    page.head();
    for (Report.Doing doing : Report.Doing.values()) {
      page.threads(doing, report.groups(doing));
    }
    page.line("");
    page.names("  In the JDK only:", report.threadsOfJvm());
    page.standing(report.standing());
    page.locks(report);
    page.blockers(report);
    page.cpu(report);
    page.heading("WHAT THIS JVM ALLOWS", "capabilities of this environment");
    for (String line : report.capabilities().toString().split("\\R")) {
      page.line(line.startsWith(" ") ? line : page.style.bold(line));
    }
    page.rows(report.rows());
    page.onTheFly(report.onTheFly());
    return page.text.toString();
  }

  private void head() {
    String vm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    String agent = Agent.origin().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    line("");
    String title = format("%s with %,d rows, in %s", H2Bank.NAME, H2Bank.ROWS, vm);
    line(style.bold(clip(title, WIDTH)));
    line("JVM TI %s, agent: %s", JvmTools.getVersionNumber(), agent);
  }

  private void threads(Report.Doing doing, List<Report.Group> groups) {
    int count = groups.stream().mapToInt(group -> group.threads().size()).sum();
    heading(doing.name(), count + (count == 1 ? " thread" : " threads"));
    for (Report.Group group : groups) {
      String state = ": " + group.state();
      String who = clip(String.join(", ", group.threads()), WIDTH - 2 - state.length());
      line("  " + paint(doing, who) + state);
      way(group.trace()).forEach(this::frame);
    }
  }

  private String paint(Report.Doing doing, String who) {
    return switch (doing) {
      case RUNNING -> style.green(who);
      case BLOCKED -> style.red(who);
      case WAITING -> style.yellow(who);
    };
  }

  /** Where the stack enters each package, from the top: the way, without every step of it. */
  private static List<StackTraceElement> way(StackTrace trace) {
    List<StackTraceElement> way = new ArrayList<>();
    String last = "";
    for (StackFrame frame : trace) {
      String name = frame.className();
      String group = name.substring(0, name.lastIndexOf('.') + 1);
      boolean ofJdk = frame.module().isPresent();
      if (way.isEmpty() || !ofJdk && !group.equals(last)) {
        way.add(frame.toStackTraceElement());
      }
      last = group;
    }
    return way;
  }

  private void frame(StackTraceElement frame) {
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

  private void standing(List<Standing> standing) {
    heading("IN THEIR HANDS", "local variables, and the bytecode that each stands at");
    for (Standing one : standing) {
      line("  " + style.yellow(one.thread()));
      StackFrame frame = one.frame().frame();
      frame(frame.toStackTraceElement());
      for (DumpedLocal local : one.frame().locals()) {
        line(clip("      " + local, WIDTH));
      }
      for (Instruction instruction : one.code()) {
        boolean here = instruction.location() == frame.location();
        String text = clip("    " + (here ? "> " : "  ") + instruction, WIDTH);
        line(here ? style.bold(text) : style.faint(text));
      }
    }
  }

  private void onTheFly(OnTheFly onTheFly) {
    heading("CHANGED ON THE FLY", onTheFly.type() + ", and back");
    plan("before", onTheFly.before());
    plan("during", onTheFly.during());
    plan("after", onTheFly.after());
  }

  private void plan(String when, String plan) {
    line("  %-7s %s", when, clip(plan.replaceAll("\\s+", " "), WIDTH - 10));
  }

  private void locks(Report report) {
    heading("LOCKS THAT THREADS WAIT FOR", report.dump().consistency().sentence());
    for (Report.Lock lock : report.locks()) {
      line("  " + style.red(clip(String.join(", ", lock.waiting()) + " for", WIDTH - 2)));
      line(clip("    " + lock.lock(), WIDTH));
      String where = lock.where().isPresent() ? ", locked by it in" : "";
      line("  " + clip("held by " + lock.holder() + where, WIDTH - 2));
      lock.where().ifPresent(frame -> frame(frame.toStackTraceElement()));
    }
    boolean known = report.dump().deadlocksKnown();
    int deadlocks = known ? report.dump().deadlocks().size() : 0;
    String none = known ? "no deadlock" : "deadlocks may have been missed";
    line("  " + (deadlocks == 0 ? none : style.red("deadlocks: " + deadlocks)));
    for (String unknown : report.dump().unknown()) {
      line("  not known: " + unknown.substring(0, unknown.indexOf(':')));
    }
  }

  private void blockers(Report report) {
    heading("WHO WAITS FOR WHOM", "by H2's own INFORMATION_SCHEMA.SESSIONS");
    report.blockers().forEach((waiting, blocker) -> line("  " + waiting + " for " + blocker));
  }

  private void cpu(Report report) {
    heading("PROCESSOR TIME", "of the platform threads");
    List<Report.CpuTime> table = report.cpuTable();
    long most = Math.max(1, table.get(0).time().toNanos());
    int small = 0;
    for (Report.CpuTime row : table) {
      long nanos = row.time().toNanos();
      if (nanos < SMALL_NANOS) {
        small++;
        continue;
      }
      String bar = style.green(style.bar((int) Math.ceil((double) nanos * BAR_WIDTH / most)));
      String name = clip(row.thread(), 30);
      line("  %-30s %9.3f s  %5.1f %%  %s", name, nanos / 1e9, row.share() * 100, bar);
    }
    line("  %d more threads with less than %d ms", small, SMALL_NANOS / 1_000_000);
  }

  private void rows(List<Report.TaggedRow> rows) {
    heading("ROWS FOUND BY TAG", format("%,d objects in which H2 keeps the table", rows.size()));
    line("  %6s  %6s  %-9s %s", "tag", "bytes", "hash", "object");
    for (Report.TaggedRow row : rows.subList(0, Math.min(SHOWN_ROWS, rows.size()))) {
      Object object = row.tagged().object();
      String shown = clip(object.getClass().getSimpleName() + object, WIDTH - 28);
      line("  %6d  %6d  %08x  %s", row.tagged().tag(), row.bytes(), row.identityHash(), shown);
    }
    long bytes = rows.stream().mapToLong(Report.TaggedRow::bytes).sum();
    line("  %,d rows, %,d bytes without what they refer to", rows.size(), bytes);
  }

  private void names(String title, List<String> names) {
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

  private void heading(String title, String remark) {
    int rest = WIDTH - title.length() - remark.length() - 4;
    line("");
    line(style.bold(title) + "  " + remark + "  " + style.faint(style.line(rest)));
  }

  private void line(String format, Object... values) {
    line(format(format, values));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }

  /** The end of a text is what tells: the method, the line. */
  private static String clip(String text, int width) {
    return text.length() <= width ? text : "..." + text.substring(text.length() - width + 3);
  }
}
