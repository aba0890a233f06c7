package io.jvmtools.benches;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table of comparisons, or with {@code --json} a line of JSON for each. */
final class Report {

  private static final String ROW = "%-30s %-24s %-24s %9s %9s %10s %7s %8s  %s%n";

  private final PrintStream out = System.out;
  private final String bench;
  private final boolean json;
  private boolean begun;

  Report(String bench, String[] args) {
    this.bench = bench;
    this.json = Arrays.asList(args).contains("--json");
  }

  /** Ours against theirs, with what is expected of it. */
  void compare(String subject, Figure ours, Figure theirs, @Nullable Limit limit) {
    double difference = ours.cpu() - theirs.cpu();
    double faster = theirs.cpu() / ours.cpu();
    boolean pausing = Double.isNaN(ours.elapsed());
    Boolean met = limit == null ? null : limit.isMet(ours, theirs);
    if (json) {
      out.printf(
          Locale.ROOT,
          "{\"bench\":\"%s\",\"jdk\":%d,\"subject\":\"%s\",\"ours\":\"%s\",\"theirs\":\"%s\","
              + "\"ours_ns\":%.2f,\"theirs_ns\":%.2f,\"difference_ns\":%.2f,"
              + "\"times_faster\":%.3f,\"times_faster_elapsed\":%s,"
              + "\"median_ours_ns\":%.2f,\"median_theirs_ns\":%.2f,\"limit\":%s,\"met\":%s}%n",
          bench,
          feature(),
          subject,
          ours.name(),
          theirs.name(),
          ours.cpu(),
          theirs.cpu(),
          difference,
          faster,
          pausing ? "null" : number(theirs.elapsed() / ours.elapsed()),
          ours.median(),
          theirs.median(),
          limit == null ? "null" : '"' + limit.toString() + '"',
          met);
      return;
    }
    head();
    out.printf(
        Locale.ROOT,
        ROW,
        subject,
        ours.name(),
        theirs.name(),
        time(ours.cpu()),
        time(theirs.cpu()),
        (difference < 0 ? "" : "+") + time(difference),
        'x' + number(faster),
        pausing ? "" : 'x' + number(theirs.elapsed() / ours.elapsed()),
        limit == null ? "" : limit + (met ? ", met" : ", MISSED"));
  }

  /** A figure that is compared with nothing. */
  void fact(String subject, String name, double nanos) {
    if (json) {
      out.printf(
          Locale.ROOT,
          "{\"bench\":\"%s\",\"jdk\":%d,\"subject\":\"%s\",\"ours\":\"%s\",\"ours_ns\":%.2f}%n",
          bench,
          feature(),
          subject,
          name,
          nanos);
      return;
    }
    head();
    out.printf(ROW, subject, name, "", time(nanos), "", "", "", "", "");
  }

  private void head() {
    if (!begun) {
      begun = true;
      out.printf("%s, JDK %s%n", bench, Runtime.version());
      out.printf(ROW, "", "ours", "theirs", "ours", "theirs", "more", "faster", "elapsed", "limit");
    }
  }

  /** The Java feature release that runs this. */
  static int feature() {
    return Runtime.version().feature();
  }

  private static String number(double factor) {
    return String.format(Locale.ROOT, "%.2f", factor);
  }

  private static String time(double nanos) {
    double size = Math.abs(nanos);
    if (size < 1e3) {
      return String.format(Locale.ROOT, "%.1f ns", nanos);
    }
    if (size < 1e6) {
      return String.format(Locale.ROOT, "%.2f us", nanos / 1e3);
    }
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }
}
