package io.jvmtools.benches;

/** A thread that looks at the clock all the time and so finds out for how long it stood still. */
final class Pulse implements Stopwatch, AutoCloseable {

  private volatile long longest;
  private volatile boolean over;

  Pulse() {
    Thread thread = new Thread(this::beat, "pulse");
    thread.setDaemon(true);
    thread.start();
  }

  /** The longest standstill, as elapsed time. */
  @Override
  public Lap time(Body body, int times) throws Exception {
    longest = 0;
    Lap lap = PROCESS.time(body, times);
    return new Lap(lap.cpuNanos(), longest);
  }

  @Override
  public void close() {
    over = true;
  }

  private void beat() {
    long last = System.nanoTime();
    while (!over) {
      long now = System.nanoTime();
      if (now - last > longest) {
        longest = now - last;
      }
      last = now;
    }
  }
}
