package io.jvmtools.pairs;

import io.jvmtools.support.RunningChild;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@code ./dev growth}: ten thousand calls of each operation, or of those that are named. */
final class GrowthRun {

  private static final int CALLS = 10_000;

  /** In which the slowest make their calls. */
  private static final int MOMENT_MILLIS = 60_000;

  private static final Duration BOUND = Duration.ofHours(3);

  private GrowthRun() {}

  /**
   * Parts of the names of operations; {@code --calls N}, {@code --millis N} for those of one
   * operation, {@code --share N/SHARES}, and {@code --setup AGENT} for one way in alone.
   */
  public static void main(String[] args) {
    List<String> only = new ArrayList<>();
    int calls = CALLS;
    int millis = MOMENT_MILLIS;
    Share share = Share.ALL;
    List<Setup> setups = List.of(Setup.values());
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--calls" -> calls = Integer.parseInt(args[++i]);
        case "--millis" -> millis = Integer.parseInt(args[++i]);
        case "--share" -> share = Share.of(args[++i]);
        case "--setup" -> setups = List.of(Setup.valueOf(args[++i]));
        default -> only.add(args[i]);
      }
    }
    List<String> failures = new ArrayList<>();
    for (Setup setup : setups) {
      failures.addAll(of(setup, calls, millis, share, only, System.out::println));
    }
    System.out.println("failures " + failures.size());
    System.exit(failures.isEmpty() ? 0 : 1);
  }

  /** Answers what grew. */
  static List<String> of(
      Setup setup,
      int calls,
      int millis,
      Share share,
      List<String> only,
      Consumer<String> listener) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of(Integer.toString(calls), Integer.toString(millis), share.toString()));
    args.addAll(only);
    List<String> failures = new ArrayList<>();
    try (RunningChild child =
        setup.measured(Growth.class).args(args.toArray(new String[0])).start(BOUND)) {
      for (String line = ""; !line.equals(Growth.OVER); line = child.await("")) {
        listener.accept(setup + ": " + line);
        if (line.startsWith(Growth.FAILURE)) {
          failures.add(setup + ": " + line);
        }
      }
      child.end();
    }
    return failures;
  }
}
