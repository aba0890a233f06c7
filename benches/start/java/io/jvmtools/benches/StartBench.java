package io.jvmtools.benches;

import io.jvmtools.Capability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a loaded agent costs a program that knows nothing of it: whole runs of a real program, one
 * plain and one with the agent at the same moment, each on a core of its own, then with the cores
 * swapped.
 *
 * <p>What disturbs one of a pair mostly disturbs the other one too, so the figure is the median of
 * the quotients of the pairs, each the mean of both ways round.
 */
public final class StartBench {

  private static final int PAIRS = 10;
  private static final String ROW = "%-10s %-44s %9s %9s %9s %9s%n";

  private final boolean json;
  private final int pairs;
  private final int[] cores;
  private final String only;
  private final String cLibrary;
  private final Path root;

  private StartBench(String[] args) {
    List<String> options = Arrays.asList(args);
    json = options.contains("--json");
    pairs = Integer.parseInt(option(options, "--pairs", String.valueOf(PAIRS)));
    int last = Runtime.getRuntime().availableProcessors() - 1;
    String asked = option(options, "--cores", (last - 1) + "," + last);
    cores = Arrays.stream(asked.split(",")).mapToInt(Integer::parseInt).toArray();
    only = option(options, "--program", "");
    cLibrary = args[0];
    root = Path.of(cLibrary).getParent().getParent();
  }

  /**
   * Takes the path of the C library; {@code --each} measures each capability that slows code down
   * by itself, {@code --program Lucene} runs only that one, {@code --pairs N} takes more pairs than
   * ten, {@code --cores 2,3} chooses the cores, {@code --json} prints JSON instead of a table.
   */
  public static void main(String[] args) throws Exception {
    StartBench bench = new StartBench(args);
    if (!bench.json) {
      System.out.printf(
          "start, JDK %s, %d pairs on cores %s%n",
          Runtime.version(), bench.pairs, Arrays.toString(bench.cores));
      System.out.printf(ROW, "program", "agent", "plain", "median", "least", "most");
    }
    for (Program program : bench.programs()) {
      if (!program.name().startsWith(bench.only)) {
        continue;
      }
      for (Agent agent : bench.agents(Arrays.asList(args).contains("--each"))) {
        bench.compare(program, agent);
      }
    }
  }

  /** What a program prints last: the CPU time that its process took, in nanoseconds. */
  static void tell(String cLibrary) {
    System.load(cLibrary);
    System.out.println(ClockC.processCpuNanos());
  }

  /**
   * A program to run.
   *
   * @param name what it is called in the report
   * @param command its main class, and arguments
   */
  private record Program(String name, List<String> command) {}

  /**
   * An agent to run it with.
   *
   * @param name what it is called in the report
   * @param path what follows {@code -agentpath:}
   */
  private record Agent(String name, String path) {}

  private List<Program> programs() {
    String sources = root.resolve("java/api/src/main/java").toString();
    return List.of(
        new Program("Lucene", List.of(IndexProgram.class.getName(), cLibrary)),
        new Program("compiler", List.of(CompilerProgram.class.getName(), cLibrary, sources)));
  }

  private List<Agent> agents(boolean each) {
    String ours = root.resolve("target/release/libjvmtools.so").toString();
    List<Agent> agents = new ArrayList<>();
    agents.add(new Agent("one in C that does nothing", cLibrary));
    agents.add(new Agent("ours", ours));
    Stream<Capability> costly = Stream.of(Capability.values()).filter(Capability::costly);
    List<String> names = costly.map(Capability::cName).toList();
    agents.add(new Agent("ours, all prepared", ours + "=prepare=" + String.join("+", names)));
    if (each) {
      names.forEach(name -> agents.add(new Agent("ours, " + name, ours + "=prepare=" + name)));
    }
    return agents;
  }

  private void compare(Program program, Agent agent) throws Exception {
    double[] quotients = new double[pairs];
    double[] plain = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      double[] one = run(program, agent, cores[0], cores[1]);
      double[] other = run(program, agent, cores[1], cores[0]);
      quotients[pair] = Math.sqrt(one[1] / one[0] * other[1] / other[0]);
      plain[pair] = (one[0] + other[0]) / 2;
    }
    Arrays.sort(quotients);
    Arrays.sort(plain);
    report(program, agent, plain[pairs / 2], quotients);
  }

  /** The CPU times of a plain run and of one with the agent, at the same moment. */
  private double[] run(Program program, Agent agent, int plainCore, int agentCore)
      throws IOException, InterruptedException {
    Process plain = start(plainCore, List.of(), program);
    Process other = start(agentCore, List.of("-agentpath:" + agent.path()), program);
    try {
      return new double[] {cpuNanos(plain), cpuNanos(other)};
    } finally {
      plain.destroyForcibly();
      other.destroyForcibly();
    }
  }

  private static Process start(int core, List<String> options, Program program) throws IOException {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    // As it is on one core, but said, so that no JVM chooses by what else runs.
    command.addAll(List.of("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(program.command());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static double cpuNanos(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a program has failed: " + out);
    }
    return Long.parseLong(out.substring(out.lastIndexOf('\n') + 1));
  }

  private void report(Program program, Agent agent, double plainNanos, double[] quotients) {
    double median = quotients[quotients.length / 2];
    double least = quotients[0];
    double most = quotients[quotients.length - 1];
    if (json) {
      System.out.printf(
          Locale.ROOT,
          "{\"bench\":\"start\",\"jdk\":%d,\"program\":\"%s\",\"agent\":\"%s\",\"plain_ns\":%.0f,"
              + "\"median\":%.4f,\"least\":%.4f,\"most\":%.4f}%n",
          Report.feature(),
          program.name(),
          agent.name(),
          plainNanos,
          median,
          least,
          most);
      return;
    }
    System.out.printf(
        Locale.ROOT,
        ROW,
        program.name(),
        agent.name(),
        String.format(Locale.ROOT, "%.2f s", plainNanos / 1e9),
        percent(median),
        percent(least),
        percent(most));
  }

  private static String percent(double quotient) {
    return String.format(Locale.ROOT, "%+.1f %%", (quotient - 1) * 100);
  }

  private static String option(List<String> options, String name, String otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : options.get(at + 1);
  }
}
