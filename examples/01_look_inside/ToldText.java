package io.jvmtools.examples;

import io.jvmtools.event.ProfileEntry;
import io.jvmtools.event.ProfileSnapshot;
import io.jvmtools.snapshot.Snapshot;
import io.jvmtools.snapshot.SnapshotFrame;
import java.lang.constant.ClassDesc;
import java.util.List;

/** The part of the report for a person that tells what happened while the JVM was watched. */
final class ToldText {

  private static final int SHOWN_ENTRIES = 4;

  private final Style style = Style.OUT;
  private final Page page;

  private ToldText(Page page) {
    this.page = page;
  }

  static void write(Page page, Report report, Watch.Told told) {
    ToldText text = new ToldText(page);
    text.contention(told.contention());
    text.allocations(report.allocations());
    text.failed(report.failed());
    text.update(told);
  }

  private void contention(ProfileSnapshot contention) {
    page.heading("WAITED FOR MONITORS", "of the whole run, by who waited where");
    for (ProfileEntry entry : shown(contention)) {
      String times = entry.count() + (entry.count() == 1 ? " time" : " times");
      page.line(
          "  %9.3f s  %12s  %s",
          entry.amount() / 1e9, times, style.red(type(entry, Page.WIDTH - 30)));
      way(entry);
    }
    more(contention);
  }

  private void allocations(ProfileSnapshot allocations) {
    page.heading("ALLOCATED BY THE REPORTS", "as " + allocations.count() + " samples let estimate");
    long most = Math.max(1, allocations.entries().get(0).amount());
    long total = Math.max(1, allocations.amount());
    for (ProfileEntry entry : shown(allocations)) {
      double share = entry.amount() * 100.0 / total;
      String type = type(entry, 30);
      String bar = page.bar(entry.amount(), most);
      page.line("  %-30s %8.1f MB  %5.1f %%  %s", type, entry.amount() / 1e6, share, bar);
      way(entry);
    }
    more(allocations);
  }

  /** Without its package, and an array as the language has it. */
  private static String type(ProfileEntry entry, int width) {
    String name = entry.className().orElseThrow();
    String simple =
        name.startsWith("[")
            ? ClassDesc.ofDescriptor(name.replace('.', '/')).displayName()
            : name.substring(name.lastIndexOf('.') + 1);
    return Page.clip(simple, width);
  }

  private static List<ProfileEntry> shown(ProfileSnapshot profile) {
    return profile.entries().stream().limit(SHOWN_ENTRIES).toList();
  }

  private void way(ProfileEntry entry) {
    Page.way(entry.stack()).forEach(page::frame);
  }

  private void more(ProfileSnapshot profile) {
    int rest = profile.entries().size() - SHOWN_ENTRIES;
    if (rest > 0) {
      page.line("  and %,d more", rest);
    }
  }

  private void failed(Failed failed) {
    page.heading("AN EXCEPTION", "where it was made, and those below who had texts in their hands");
    page.line("  " + style.red(Page.cut(failed.statement(), Page.WIDTH - 2)));
    Snapshot snapshot = failed.snapshot();
    page.line(Page.cut("  " + snapshot.exception().orElseThrow().text(), Page.WIDTH));
    snapshot.frames().stream().filter(ToldText::holdsText).forEach(page::frame);
  }

  private static boolean holdsText(SnapshotFrame frame) {
    return frame.variables().stream().anyMatch(one -> one.value().text().startsWith("\""));
  }

  private void update(Watch.Told told) {
    Snapshot update = told.update();
    page.heading(
        "A SNAPSHOT POINT",
        "at " + update.place() + ", when what it is given begins with " + Watch.BEGINNING);
    page.line("  " + style.yellow(update.thread()));
    update.frames().forEach(page::frame);
    page.line("  %d before it were given something else", told.counts().unmatched());
  }
}
