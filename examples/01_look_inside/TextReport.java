package io.jvmtools.examples;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.code.Instruction;
import io.jvmtools.dump.DumpedLocal;
import io.jvmtools.stack.StackFrame;
import java.util.List;
import java.util.Locale;

/** The report for a person: at most 100 columns. */
final class TextReport {

  private static final int SHOWN_ROWS = 5;
  private static final long SMALL_NANOS = 5_000_000;

  private final Style style = Style.OUT;
  private final Page page = new Page();

  private TextReport() {}

  static String of(Report report, Watch.Told told) {
    TextReport text = new TextReport();
    text.head();
    for (Report.Doing doing : Report.Doing.values()) {
      text.threads(doing, report.groups(doing));
    }
    text.page.line("");
    text.page.names("  In the JDK only:", report.threadsOfJvm());
    text.standing(report.standing());
    text.locks(report);
    text.blockers(report);
    text.cpu(report);
    ToldText.write(text.page, report, told);
    text.page.heading("WHAT THIS JVM ALLOWS", "capabilities of this environment");
    for (String line : report.capabilities().toString().split("\\R")) {
      text.page.line(line.startsWith(" ") ? line : text.style.bold(line));
    }
    text.rows(report.rows());
    text.onTheFly(report.onTheFly());
    return text.page.toString();
  }

  private void head() {
    String vm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    String agent = Agent.origin().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    page.line("");
    String title = Page.format("%s with %,d rows, in %s", H2Bank.NAME, H2Bank.ROWS, vm);
    page.line(style.bold(Page.clip(title, Page.WIDTH)));
    page.line("JVM TI %s, agent: %s", JvmTools.getVersionNumber(), agent);
  }

  private void threads(Report.Doing doing, List<Report.Group> groups) {
    int count = groups.stream().mapToInt(group -> group.threads().size()).sum();
    page.heading(doing.name(), count + (count == 1 ? " thread" : " threads"));
    for (Report.Group group : groups) {
      String state = ": " + group.state();
      String who = Page.clip(String.join(", ", group.threads()), Page.WIDTH - 2 - state.length());
      page.line("  " + paint(doing, who) + state);
      Page.way(group.trace().stream().map(StackFrame::toStackTraceElement).toList())
          .forEach(page::frame);
    }
  }

  private String paint(Report.Doing doing, String who) {
    return switch (doing) {
      case RUNNING -> style.green(who);
      case BLOCKED -> style.red(who);
      case WAITING -> style.yellow(who);
    };
  }

  private void standing(List<Standing> standing) {
    page.heading("IN THEIR HANDS", "local variables, and the bytecode that each stands at");
    for (Standing one : standing) {
      page.line("  " + style.yellow(one.thread()));
      StackFrame frame = one.frame().frame();
      page.frame(frame.toStackTraceElement());
      for (DumpedLocal local : one.frame().locals()) {
        page.line(Page.clip("      " + local, Page.WIDTH));
      }
      for (Instruction instruction : one.code()) {
        boolean here = instruction.location() == frame.location();
        String text = Page.clip("    " + (here ? "> " : "  ") + instruction, Page.WIDTH);
        page.line(here ? style.bold(text) : style.faint(text));
      }
    }
  }

  private void onTheFly(OnTheFly onTheFly) {
    page.heading("CHANGED ON THE FLY", onTheFly.type() + ", and back");
    plan("before", onTheFly.before());
    plan("during", onTheFly.during());
    plan("after", onTheFly.after());
  }

  private void plan(String when, String plan) {
    page.line("  %-7s %s", when, Page.clip(plan.replaceAll("\\s+", " "), Page.WIDTH - 10));
  }

  private void locks(Report report) {
    page.heading("LOCKS THAT THREADS WAIT FOR", report.dump().consistency().sentence());
    for (Report.Lock lock : report.locks()) {
      page.line(
          "  " + style.red(Page.clip(String.join(", ", lock.waiting()) + " for", Page.WIDTH - 2)));
      page.line(Page.clip("    " + lock.lock(), Page.WIDTH));
      String where = lock.where().isPresent() ? ", locked by it in" : "";
      page.line("  " + Page.clip("held by " + lock.holder() + where, Page.WIDTH - 2));
      lock.where().ifPresent(frame -> page.frame(frame.toStackTraceElement()));
    }
    boolean known = report.dump().deadlocksKnown();
    int deadlocks = known ? report.dump().deadlocks().size() : 0;
    String none = known ? "no deadlock" : "deadlocks may have been missed";
    page.line("  " + (deadlocks == 0 ? none : style.red("deadlocks: " + deadlocks)));
    for (String unknown : report.dump().unknown()) {
      page.line("  not known: " + unknown.substring(0, unknown.indexOf(':')));
    }
  }

  private void blockers(Report report) {
    page.heading("WHO WAITS FOR WHOM", "by H2's own INFORMATION_SCHEMA.SESSIONS");
    report.blockers().forEach((waiting, blocker) -> page.line("  " + waiting + " for " + blocker));
  }

  private void cpu(Report report) {
    page.heading("PROCESSOR TIME", "of the platform threads");
    List<Report.CpuTime> table = report.cpuTable();
    long most = Math.max(1, table.get(0).time().toNanos());
    int small = 0;
    for (Report.CpuTime row : table) {
      long nanos = row.time().toNanos();
      if (nanos < SMALL_NANOS) {
        small++;
        continue;
      }
      String bar = page.bar(nanos, most);
      String name = Page.clip(row.thread(), 30);
      page.line("  %-30s %9.3f s  %5.1f %%  %s", name, nanos / 1e9, row.share() * 100, bar);
    }
    page.line("  %d more threads with less than %d ms", small, SMALL_NANOS / 1_000_000);
  }

  private void rows(List<Report.TaggedRow> rows) {
    page.heading(
        "ROWS FOUND BY TAG", Page.format("%,d objects in which H2 keeps the table", rows.size()));
    page.line("  %6s  %6s  %-9s %s", "tag", "bytes", "hash", "object");
    for (Report.TaggedRow row : rows.subList(0, Math.min(SHOWN_ROWS, rows.size()))) {
      Object object = row.tagged().object();
      String shown = Page.clip(object.getClass().getSimpleName() + object, Page.WIDTH - 28);
      page.line("  %6d  %6d  %08x  %s", row.tagged().tag(), row.bytes(), row.identityHash(), shown);
    }
    long bytes = rows.stream().mapToLong(Report.TaggedRow::bytes).sum();
    page.line("  %,d rows, %,d bytes without what they refer to", rows.size(), bytes);
  }
}
