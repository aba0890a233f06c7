import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** Suspends so many parked threads, reads their stacks and resumes them, beside what the JDK's bean takes. */
public class Standstill {

  private static final int FRAMES = 20;
  private static final int ROUNDS = 31;

  static native long read(Thread[] threads, long[] times);

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    Thread[] threads = new Thread[Integer.parseInt(args[1])];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(null, () -> park(FRAMES), "parked " + i, 128 << 10);
      threads[i].setDaemon(true);
      threads[i].start();
    }
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    long[][] ours = new long[4][ROUNDS];
    long[] theirs = new long[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long[] times = new long[3];
      read(threads, times);
      for (int i = 0; i < 3; i++) {
        ours[i][round] = times[i];
        ours[3][round] += times[i];
      }
      long start = System.nanoTime();
      bean.dumpAllThreads(true, true);
      theirs[round] = System.nanoTime() - start;
    }
    System.out.printf(
        "suspend %.1f, read %.1f, resume %.1f: %.1f ms; dumpAllThreads %.1f ms: %.2f%n",
        median(ours[0]), median(ours[1]), median(ours[2]), median(ours[3]), median(theirs),
        median(ours[3]) / median(theirs));
    System.exit(0);
  }

  private static double median(long[] nanos) {
    return Arrays.stream(nanos).sorted().skip(nanos.length / 2).findFirst().orElseThrow() / 1e6;
  }

  private static void park(int depth) {
    if (depth > 0) {
      park(depth - 1);
    }
    while (true) {
      LockSupport.park();
    }
  }
}
