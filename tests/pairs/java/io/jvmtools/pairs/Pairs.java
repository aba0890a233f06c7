package io.jvmtools.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** {@code ./dev pairs}: all pairs, or those that are named. */
final class Pairs {

  /** One that is named is done so often. */
  private static final int ROUNDS = 50;

  private Pairs() {}

  /**
   * Parts of the names of pairs; {@code --seed N}, {@code --rounds N}, {@code --share N/SHARES},
   * {@code --setup AGENT} for one of them, and {@code --without PART} as often as needed.
   */
  public static void main(String[] args) {
    List<String> only = new ArrayList<>();
    List<String> without = new ArrayList<>();
    long seed = new Random().nextInt(1_000_000);
    int rounds = 0;
    Share share = Share.ALL;
    List<Setup> setups = List.of(Setup.values());
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--seed" -> seed = Long.parseLong(args[++i]);
        case "--rounds" -> rounds = Integer.parseInt(args[++i]);
        case "--share" -> share = Share.of(args[++i]);
        case "--setup" -> setups = List.of(Setup.valueOf(args[++i]));
        case "--without" -> without.add(args[++i]);
        default -> only.add(args[i]);
      }
    }
    if (rounds == 0) {
      rounds = only.isEmpty() ? 1 : ROUNDS;
    }
    Plan plan = new Plan(seed, share, rounds, only, without);
    System.out.println("seed " + seed);
    Operations.LEFT_OUT.forEach(
        (what, why) -> System.out.println("left out: " + what + ": " + why));
    List<String> failures = new ArrayList<>();
    for (Setup setup : setups) {
      failures.addAll(new Session(setup, plan, System.out::println).run());
    }
    System.out.println("failures " + failures.size());
    System.exit(failures.isEmpty() ? 0 : 1);
  }
}
