package io.jvmtools.neighbour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * A JVM that runs a program, watched from outside: what it says, what it has, and whether each of
 * its phases ends in time. One that does not is asked for its threads, and killed.
 */
final class Watched implements Callable<Void> {

  private static final Duration TO_START = Duration.ofMinutes(3);
  private static final Duration MORE_THAN_ITS_TIME = Duration.ofMinutes(1);
  private static final Duration TO_STOP = Duration.ofMinutes(5);
  private static final Duration TO_END = Duration.ofMinutes(1);
  private static final Duration TO_PRINT_ITS_THREADS = Duration.ofSeconds(10);

  private final Company company;
  private final int planned;
  private final BiConsumer<Watched, String> progress;
  private final Process process;
  private final Path log;
  private final Levels levels = new Levels();
  private final Map<Figure, Long> figures =
      Collections.synchronizedMap(new EnumMap<>(Figure.class));
  private final List<String> complaints = new ArrayList<>();
  private volatile Word latest;
  private volatile long since = System.nanoTime();

  /** Starts a command whose output, but for the words, goes to a log. */
  Watched(
      Company company,
      List<String> command,
      int seconds,
      Path log,
      BiConsumer<Watched, String> progress)
      throws IOException {
    this.company = company;
    this.planned = seconds;
    this.progress = progress;
    this.log = log;
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** For how long the work has been under way, while it is. */
  long seconds() {
    return Math.round((System.nanoTime() - since) / 1e9);
  }

  Company company() {
    return company;
  }

  Levels levels() {
    return levels;
  }

  Path log() {
    return log;
  }

  Map<Figure, Long> figures() {
    return figures;
  }

  /** What is wrong with it, in sentences. */
  List<String> complaints() {
    return complaints;
  }

  /** Watches it until it has ended, one way or the other. */
  @Override
  public Void call() throws InterruptedException, IOException {
    Thread listener = new Thread(this::listen, "what " + company + " says");
    listener.start();
    while (!process.waitFor(1, TimeUnit.SECONDS)) {
      if (latest == Word.STARTED || latest == Word.PROGRESS) {
        sample();
      }
      if (System.nanoTime() - since > bound().toNanos()) {
        complaints.add("not ended " + bound().toSeconds() + " s after it " + phase());
        askForItsThreads();
        process.destroyForcibly();
      }
    }
    listener.join();
    figures.put(Figure.ENDING, latest == Word.ENDED ? System.nanoTime() - since : 0);
    if (latest != Word.ENDED || process.exitValue() != 0) {
      complaints.add("exit code " + process.exitValue() + " after it " + phase());
    }
    return null;
  }

  private String phase() {
    return latest == null ? "was launched" : "said " + latest;
  }

  private Duration bound() {
    if (latest == null) {
      return TO_START;
    }
    return switch (latest) {
      case STARTED, PROGRESS -> MORE_THAN_ITS_TIME.plusSeconds(planned);
      case STOPPING -> TO_STOP;
      case ENDED -> TO_END;
    };
  }

  private void sample() {
    try {
      levels.add(Resources.of(process.pid()));
    } catch (IOException ended) {
      // The next look at the process says so.
    }
  }

  /**
   * The JVM prints them to its output, if it still can; Linux knows what each does in the kernel.
   */
  private void askForItsThreads() throws InterruptedException, IOException {
    new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
    if (process.waitFor(TO_PRINT_ITS_THREADS.toSeconds(), TimeUnit.SECONDS)) {
      complaints.add("it ended when it was asked for its threads");
      return;
    }
    List<String> lines = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path task : tasks.toList()) {
        lines.add(Files.readString(task.resolve("stat")).strip());
      }
    } catch (IOException | UncheckedIOException ended) {
      lines.add("and the others have ended meanwhile");
    }
    Files.write(log.resolveSibling(log.getFileName() + ".tasks"), lines);
  }

  private void listen() {
    try (InputStream in = process.getInputStream();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        OutputStream out = Files.newOutputStream(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.write((line + '\n').getBytes(StandardCharsets.UTF_8));
        if (line.startsWith("@")) {
          hear(line.substring(1).split(" ", 3));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void hear(String[] said) {
    Word word = Word.valueOf(said[0]);
    Map<Figure, Long> heard = Figure.parse(said[1]);
    if (word != Word.PROGRESS) {
      since = System.nanoTime();
    }
    latest = word;
    figures.putAll(heard);
    if (word == Word.PROGRESS) {
      levels.add(heard);
      progress.accept(this, said[2]);
    }
  }
}
