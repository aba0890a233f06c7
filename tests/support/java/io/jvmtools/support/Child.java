package io.jvmtools.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The child's side of the conversation that {@link RunningChild} leads. */
public final class Child {

  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private Child() {}

  /** Prints a line for the parent. */
  public static void say(Object line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Waits for a line of the parent, and insists that it is this one. */
  public static void await(String expected) {
    String line = read();
    if (!expected.equals(line)) {
      throw new IllegalStateException("The parent said " + line + " instead of " + expected);
    }
  }

  /** Waits for a line of the parent; null when it speaks no more. */
  public static String read() {
    try {
      return IN.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A pool that does not keep a child alive whose {@code main} failed. */
  public static ExecutorService newDaemonPool(int threads) {
    return Executors.newFixedThreadPool(
        threads,
        body -> {
          Thread thread = new Thread(body);
          thread.setDaemon(true);
          return thread;
        });
  }
}
