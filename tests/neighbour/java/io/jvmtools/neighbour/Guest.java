package io.jvmtools.neighbour;

import io.jvmtools.neighbour.HostileNeighbour.Deed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The JVM that is watched: the work, and perhaps the neighbour, until the time is up. */
public final class Guest {

  private static final int SECONDS_BETWEEN_WORDS = 10;

  private final Results work = new Results("the work");
  private final Results deeds = new Results("the neighbour");
  private final Clocks clocks = new Clocks();
  private final Workload workload;
  private final HostileNeighbour neighbour;

  private Guest(Program program, Path directory, Set<Deed> deeds) throws IOException {
    workload =
        switch (program) {
          case SERVER -> new ServerWorkload(work);
          case BROKER -> new BrokerWorkload(work, directory);
          case INDEX -> new IndexWorkload(work, directory);
        };
    neighbour = new HostileNeighbour(deeds, workload::virtualThreads, this.deeds);
  }

  /**
   * Takes the program, a directory for its files, how many seconds to run, how to end, and what the
   * neighbour does, if there is one.
   */
  public static void main(String[] args) throws Exception {
    Set<Deed> deeds = EnumSet.noneOf(Deed.class);
    Arrays.stream(args).skip(4).map(Deed::valueOf).forEach(deeds::add);
    Guest guest = new Guest(Program.valueOf(args[0]), Path.of(args[1]), deeds);
    guest.run(Integer.parseInt(args[2]), !deeds.isEmpty());
    if (Ending.valueOf(args[3]) == Ending.EXIT) {
      System.exit(0);
    }
  }

  /** The neighbour goes on until the JVM has ended. */
  private void run(int seconds, boolean withNeighbour) throws Exception {
    workload.start();
    if (withNeighbour) {
      neighbour.start();
    }
    say(Word.STARTED);
    long begun = System.nanoTime();
    for (int second = 1; second <= seconds; second++) {
      clocks.sleepUntil(begun + TimeUnit.SECONDS.toNanos(second));
      workload.lookAfter();
      neighbour.lookAfter();
      if (second % SECONDS_BETWEEN_WORDS == 0) {
        say(Word.PROGRESS);
      }
    }
    say(Word.STOPPING);
    try {
      workload.stop();
    } catch (Exception e) {
      work.wrong("at its end", e);
    }
    say(Word.ENDED);
  }

  private void say(Word word) throws InterruptedException {
    Map<Figure, Long> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.RIGHT, work.right());
    figures.put(Figure.WRONG, work.wrong());
    figures.put(Figure.WAIT_MEDIAN, work.waits().quantileNanos(0.5));
    figures.put(Figure.WAIT_99, work.waits().quantileNanos(0.99));
    figures.put(Figure.WAIT_9999, work.waits().quantileNanos(0.9999));
    figures.put(Figure.WAIT_LONGEST, work.waits().longestNanos());
    figures.put(Figure.CLOCK_LATE, clocks.latestNanos());
    figures.put(Figure.CLOCK_JUMP, clocks.jumpNanos());
    figures.put(Figure.ROUNDS, neighbour.rounds());
    figures.put(Figure.DEED_LONGEST, neighbour.longestDeedNanos());
    figures.put(Figure.EXPIRED, neighbour.expired());
    figures.put(Figure.FAILURES, deeds.wrong());
    // What a call needs for its time is no growth.
    figures.put(Figure.GLOBALS, neighbour.betweenRounds(JniGlobals::count));
    System.out.println("@" + word + ' ' + Figure.print(figures) + ' ' + neighbour.doing());
  }
}
