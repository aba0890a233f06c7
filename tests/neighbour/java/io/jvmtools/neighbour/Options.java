package io.jvmtools.neighbour;

import io.jvmtools.neighbour.HostileNeighbour.Deed;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What to run.
 *
 * @param programs one after the other
 * @param company one JVM for each of them, all at the same time
 * @param jdk a feature release of tests/jdks.tsv
 * @param collector their garbage collector
 * @param seconds for how long, {@value #FEWEST_SECONDS} at least, so that there are levels to
 *     compare
 * @param ending how the JVMs end
 * @param deeds what the neighbour does
 * @param json whether to print JSON in place of a table
 */
record Options(
    Set<Program> programs,
    Set<Company> company,
    int jdk,
    Collector collector,
    int seconds,
    Ending ending,
    Set<Deed> deeds,
    boolean json) {

  private static final int FEWEST_SECONDS = 30;

  static final String HELP =
      """
      usage: ./dev neighbour [OPTION...] [%s...]

      Runs real programs, all if none is named, that check their own results: beside a hostile
      neighbour that uses the library on all their threads, and at the same time, as the control, beside
      an agent that nobody uses. Says what came out wrong, what grew more than in the control, and
      whether each JVM ended. docs/neighbour.md says more.

        --jdk N           a feature release of tests/jdks.tsv (17)
        --gc G1|ZGC       the collector (G1)
        --seconds N       how long each program runs (180)
        --without         no neighbour: an agent that nobody uses, and as the control no agent at all
        --beside A,B...   the JVMs, of neighbour, idle and none, the last one being the control
        --end exit|return how they end: by System.exit, or by returning from main (exit)
        --deeds A,B...    some of the neighbour's deeds:
                          %s
        --json            a line of JSON for each JVM in place of the tables
      """
          .formatted(
              names(EnumSet.allOf(Program.class)).replace(" ", "|"),
              names(EnumSet.allOf(Deed.class)));

  static Options parse(List<String> args) {
    Set<Program> programs = EnumSet.noneOf(Program.class);
    Set<Company> company = EnumSet.of(Company.NEIGHBOUR, Company.IDLE);
    int jdk = 17;
    Collector collector = Collector.G1;
    int seconds = 180;
    Ending ending = Ending.EXIT;
    Set<Deed> deeds = EnumSet.allOf(Deed.class);
    boolean json = false;
    Iterator<String> rest = args.iterator();
    while (rest.hasNext()) {
      String arg = rest.next();
      switch (arg) {
        case "--jdk" -> jdk = Integer.parseInt(value(arg, rest));
        case "--gc" -> collector = one(Collector.class, value(arg, rest));
        case "--seconds" -> seconds = Integer.parseInt(value(arg, rest));
        case "--without" -> company = EnumSet.of(Company.IDLE, Company.NONE);
        case "--beside" -> company = someOf(Company.class, value(arg, rest));
        case "--end" -> ending = one(Ending.class, value(arg, rest));
        case "--deeds" -> deeds = someOf(Deed.class, value(arg, rest));
        case "--json" -> json = true;
        default -> programs.add(one(Program.class, arg));
      }
    }
    if (seconds < FEWEST_SECONDS) {
      throw new IllegalArgumentException("--seconds needs " + FEWEST_SECONDS + " or more");
    }
    return new Options(
        programs.isEmpty() ? EnumSet.allOf(Program.class) : programs,
        company,
        jdk,
        collector,
        seconds,
        ending,
        deeds,
        json);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value; --help says more");
    }
    return rest.next();
  }

  private static <E extends Enum<E>> Set<E> someOf(Class<E> type, String names) {
    Set<E> some = EnumSet.noneOf(type);
    for (String name : names.split(",")) {
      some.add(one(type, name));
    }
    return some;
  }

  private static <E extends Enum<E>> E one(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + " is none of " + names(EnumSet.allOf(type)) + "; --help says more", e);
    }
  }

  private static String names(Set<? extends Enum<?>> values) {
    return values.stream()
        .map(value -> value.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" "));
  }
}
