package io.jvmtools.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A child JVM while it runs. Parent and child speak in lines: what the child says it prints, what
 * it waits for it reads (see {@link Child}).
 */
public final class RunningChild implements AutoCloseable {

  private static final String END = new String("end of output");

  private final String name;
  private final List<String> command;
  private final Process process;
  private final long deadline;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final List<String> err = new CopyOnWriteArrayList<>();
  private final LinkedBlockingQueue<String> unread = new LinkedBlockingQueue<>();
  private final Thread outReader;
  private final Thread errReader;

  RunningChild(String name, List<String> command, Process process, Duration bound) {
    this.name = name;
    this.command = command;
    this.process = process;
    this.deadline = System.nanoTime() + bound.toNanos();
    this.outReader = reader(process.getInputStream(), out, unread);
    this.errReader = reader(process.getErrorStream(), err, new LinkedBlockingQueue<>());
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Waits for the next line that starts with {@code prefix} and answers the rest of it. */
  public String await(String prefix) {
    try {
      while (true) {
        String line = unread.poll(left(), TimeUnit.NANOSECONDS);
        if (line == null) {
          throw hung("It did not say \"" + prefix + "\" in time.");
        }
        if (line == END) {
          throw new AssertionError(
              "It ended without saying \"" + prefix + "\".\n" + result().transcript());
        }
        if (line.startsWith(prefix)) {
          return line.substring(prefix.length());
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends a line to its standard input. */
  public void say(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + '\n').getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new AssertionError("It reads no more.\n" + result().transcript(), e);
    }
  }

  /** Waits until it has ended. */
  public ChildResult end() {
    try {
      if (!process.waitFor(left(), TimeUnit.NANOSECONDS)) {
        throw hung("It did not end in time.");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    ChildResult result = result();
    write(result);
    result.checkForComplaints();
    return result;
  }

  /** Kills it if it still runs. */
  @Override
  public void close() {
    if (process.isAlive()) {
      process.destroyForcibly();
      write(result());
    }
  }

  private long left() {
    return Math.max(0, deadline - System.nanoTime());
  }

  private AssertionError hung(String what) {
    String threads = threads();
    process.destroyForcibly();
    ChildResult result = result();
    write(result);
    return new AssertionError(
        what + whereMainIs(threads) + "\n" + result.transcript() + "\n" + threads);
  }

  /**
   * Where its main thread is, in one line and ours alone: of a long text only the ends are seen.
   */
  private static String whereMainIs(String threads) {
    String frames =
        threads
            .lines()
            .dropWhile(line -> !line.startsWith("\"main\""))
            .takeWhile(line -> !line.isBlank())
            .filter(line -> line.contains("at io.jvmtools."))
            .limit(3)
            .map(line -> line.replaceAll("\\s*at io\\.jvmtools\\.|\\(.*", ""))
            .collect(Collectors.joining(" < "));
    return frames.isEmpty() ? "" : " Main is in " + frames + ".";
  }

  private ChildResult result() {
    try {
      process.waitFor(1, TimeUnit.MINUTES);
      outReader.join(TimeUnit.MINUTES.toMillis(1));
      errReader.join(TimeUnit.MINUTES.toMillis(1));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new ChildResult(name, command, process.exitValue(), List.copyOf(out), List.copyOf(err));
  }

  /** What its threads were doing, if the JDK has a jcmd that can tell. */
  private String threads() {
    Path jcmd = Installation.javaHome().resolve("bin/jcmd");
    if (!Files.exists(jcmd)) {
      return "(this JDK has no jcmd, so its threads are not known)";
    }
    try {
      Process dump =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid()), "Thread.print", "-l")
              .redirectErrorStream(true)
              .start();
      List<String> lines = new CopyOnWriteArrayList<>();
      Thread reader = reader(dump.getInputStream(), lines, new LinkedBlockingQueue<>());
      if (!dump.waitFor(20, TimeUnit.SECONDS)) {
        dump.destroyForcibly();
      }
      reader.join(TimeUnit.SECONDS.toMillis(20));
      return String.join("\n", lines);
    } catch (IOException | InterruptedException e) {
      return "(jcmd failed: " + e + ")";
    }
  }

  private void write(ChildResult result) {
    try {
      Files.createDirectories(Installation.logs());
      Files.writeString(
          Installation.logs().resolve(name.replaceAll(".*\\.", "") + "-" + pid() + ".log"),
          result.transcript());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread reader(
      InputStream stream, List<String> lines, LinkedBlockingQueue<String> unread) {
    Runnable copy =
        () -> {
          try (BufferedReader reader =
              new BufferedReader(new java.io.InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
              lines.add(line);
              unread.add(line);
            }
          } catch (IOException e) {
            lines.add("(the rest was not read: " + e + ")");
          } finally {
            unread.add(END);
          }
        };
    Thread thread = new Thread(copy, "output of a child JVM");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
