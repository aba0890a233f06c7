package io.jvmtools.neighbour;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * {@code ./dev neighbour}: starts the JVMs, shows what they say, and ends with 0 if all is right.
 */
public final class Main {

  private static final Path ROOT = Path.of(System.getProperty("jvmtools.root"));
  private static final Path AGENT = ROOT.resolve("target/release/libjvmtools.so");
  private static final Path LOGS = ROOT.resolve("build/neighbour");

  private final Options options;
  private final Jdk jdk;
  private final PrintStream progress;

  private Main(Options options) throws IOException {
    this.options = options;
    this.jdk = Jdk.find(ROOT, options.jdk());
    // With --json there is nothing else on the standard output.
    this.progress = options.json() ? System.err : System.out;
  }

  /** Takes what {@link Options#HELP} says. */
  public static void main(String[] args) throws Exception {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.HELP);
      return;
    }
    try {
      System.exit(new Main(Options.parse(List.of(args))).runAll() ? 0 : 1);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /** Answers whether all is right. */
  private boolean runAll() throws Exception {
    Files.createDirectories(LOGS);
    boolean right = true;
    for (Program program : options.programs()) {
      Path directory = Files.createTempDirectory("jvmtools-neighbour-");
      try {
        right &= run(program, directory);
      } finally {
        delete(directory);
      }
    }
    return right;
  }

  private boolean run(Program program, Path directory) throws Exception {
    List<Watched> all = new ArrayList<>();
    for (Company company : options.company()) {
      Path own = Files.createDirectory(directory.resolve(company.name()));
      all.add(start(program, company, own));
    }
    watch(all);
    Watched control = all.get(all.size() - 1);
    all.forEach(watched -> Verdict.judge(watched, control));
    Table table = new Table(program, jdk, options, all);
    if (options.json()) {
      table.printJson(System.out);
    } else {
      table.print(System.out);
    }
    return all.stream().allMatch(watched -> watched.complaints().isEmpty());
  }

  private Watched start(Program program, Company company, Path directory) throws IOException {
    String name =
        String.format("%s-%s-%s-%s", program, options.jdk(), options.collector(), company.name());
    Path log = LOGS.resolve(name.toLowerCase(Locale.ROOT) + ".log");
    List<String> command = new ArrayList<>();
    command.add(jdk.java());
    if (company.hasAgent()) {
      command.add("-agentpath:" + AGENT);
    }
    command.add(options.collector().option());
    // All of the heap is there from the start, so that what grows is something else.
    command.addAll(
        List.of("-Xms" + program.heap(), "-Xmx" + program.heap(), "-XX:+AlwaysPreTouch"));
    command.add("-XX:ErrorFile=" + LOGS.resolve("hs_err_%p.log"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add("@" + ROOT.resolve("build/neighbour.args"));
    command.add(Guest.class.getName());
    command.addAll(List.of(program.name(), directory.toString()));
    command.addAll(List.of(Integer.toString(options.seconds()), options.ending().name()));
    if (company == Company.NEIGHBOUR) {
      options.deeds().forEach(deed -> command.add(deed.name()));
    }
    return new Watched(company, command, options.seconds(), log, this::tell);
  }

  private void tell(Watched watched, String doing) {
    progress.println(Table.line(watched, doing));
  }

  private static void watch(List<Watched> all) throws InterruptedException, ExecutionException {
    ExecutorService watchers = Executors.newFixedThreadPool(all.size());
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (Watched watched : all) {
        ends.add(watchers.submit(watched));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      watchers.shutdownNow();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
