package io.jvmtools.benches;

import io.jvmtools.benches.DatabaseProgram.Ears;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What events cost a database under load: whole runs of it at the same moment, one plain, one with
 * the agent, and two in which a listener is told of every event that is not costly, or but one.
 *
 * <p>What disturbs one of them mostly disturbs the others too, so the figure is the median of the
 * quotients within each round.
 */
public final class DatabaseBench {

  private static final int ROUNDS = 7;
  private static final String ROW = "%-28s %11s %11s %9s %9s %9s %9s%n";

  private final String cLibrary;
  private final boolean json;
  private final int rounds;
  private String told = "";

  private DatabaseBench(List<String> args) {
    cLibrary = args.get(0);
    json = args.contains("--json");
    int at = args.indexOf("--rounds");
    rounds = at < 0 ? ROUNDS : Integer.parseInt(args.get(at + 1));
  }

  /**
   * Takes the path of the C library; {@code --rounds N} takes more or fewer than seven, {@code
   * --json} prints JSON instead of a table.
   */
  public static void main(String[] args) throws Exception {
    new DatabaseBench(Arrays.asList(args)).run();
  }

  private enum Contestant {
    PLAIN("plain", Ears.NOTHING),
    AGENT("the agent alone", Ears.NOTHING),
    MOST("all but VMObjectAlloc", Ears.ALL_BUT_VM_OBJECT_ALLOC),
    ALL("all that are not costly", Ears.ALL);

    private final String title;
    private final Ears ears;

    Contestant(String title, Ears ears) {
      this.title = title;
      this.ears = ears;
    }
  }

  /**
   * What one run has taken.
   *
   * @param perCpuSecond transfers in each second of CPU time
   * @param perSecond transfers in each second
   */
  private record Throughput(double perCpuSecond, double perSecond) {}

  private void run() throws Exception {
    Throughput[][] all = new Throughput[rounds][];
    for (int round = 0; round < rounds; round++) {
      all[round] = round(round);
    }
    if (!json) {
      System.out.printf("database, JDK %s, %d rounds%n", Runtime.version(), rounds);
      System.out.printf(ROW, "", "a CPU second", "a second", "median", "least", "most", "elapsed");
    }
    for (Contestant one : Contestant.values()) {
      report(one, all);
    }
    if (!json) {
      System.out.println(told);
    }
  }

  /** All at the same moment; whoever is started first is another one each time. */
  private Throughput[] round(int round) throws IOException, InterruptedException {
    Contestant[] contestants = Contestant.values();
    Process[] processes = new Process[contestants.length];
    Throughput[] answers = new Throughput[contestants.length];
    try {
      for (int i = 0; i < contestants.length; i++) {
        int at = (i + round) % contestants.length;
        processes[at] = start(contestants[at]);
      }
      for (int i = 0; i < contestants.length; i++) {
        answers[i] = read(processes[i]);
      }
    } finally {
      for (Process process : processes) {
        if (process != null) {
          process.destroyForcibly();
        }
      }
    }
    return answers;
  }

  private Process start(Contestant contestant) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (contestant != Contestant.PLAIN) {
      Path root = Path.of(cLibrary).getParent().getParent();
      command.add("-agentpath:" + root.resolve("target/release/libjvmtools.so"));
    }
    command.addAll(List.of("-XX:+UseG1GC", "-Xms256m", "-Xmx256m"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(DatabaseProgram.class.getName());
    command.add(cLibrary);
    command.add(contestant.ears.name());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private Throughput read(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the database has failed: " + out);
    }
    int last = out.lastIndexOf('\n');
    if (last > 0) {
      told = out.substring(0, last);
    }
    long[] numbers =
        Arrays.stream(out.substring(last + 1).split(" ")).mapToLong(Long::parseLong).toArray();
    return new Throughput(numbers[0] * 1e9 / numbers[1], numbers[0] * 1e9 / numbers[2]);
  }

  private void report(Contestant contestant, Throughput[][] all) {
    int place = contestant.ordinal();
    double[] perCpuSecond = sorted(all, one -> one[place].perCpuSecond());
    double[] perSecond = sorted(all, one -> one[place].perSecond());
    double[] ratios = sorted(all, one -> one[place].perCpuSecond() / one[0].perCpuSecond());
    double[] elapsed = sorted(all, one -> one[place].perSecond() / one[0].perSecond());
    if (json) {
      System.out.printf(
          Locale.ROOT,
          "{\"bench\":\"database\",\"jdk\":%d,\"with\":\"%s\",\"per_cpu_second\":%.0f,"
              + "\"per_second\":%.0f,\"median\":%.4f,\"least\":%.4f,\"most\":%.4f,"
              + "\"elapsed\":%.4f}%n",
          Report.feature(),
          contestant.title,
          median(perCpuSecond),
          median(perSecond),
          median(ratios),
          ratios[0],
          ratios[ratios.length - 1],
          median(elapsed));
      return;
    }
    System.out.printf(
        Locale.ROOT,
        ROW,
        contestant.title,
        Math.round(median(perCpuSecond)),
        Math.round(median(perSecond)),
        times(median(ratios)),
        times(ratios[0]),
        times(ratios[ratios.length - 1]),
        times(median(elapsed)));
  }

  private interface Figured {
    double of(Throughput[] round);
  }

  private static double[] sorted(Throughput[][] all, Figured figure) {
    return Arrays.stream(all).mapToDouble(figure::of).sorted().toArray();
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "×%.3f", ratio);
  }
}
