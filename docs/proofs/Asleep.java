import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Java alone, no agent: where all carriers but one keep a pinned virtual thread, does the last one run what is
 * started?
 *
 * <p>{@code java -Djdk.virtualThreadScheduler.parallelism=4 Asleep.java 3 20}: three pinned, for twenty seconds. On
 * 21.0.8 the pool lets the last carriers sleep beside their work: in nine of nine runs with one free carrier of two or
 * four, or two of five. With three free ones, five or thirteen it did not in nine, nor on 25.
 */
class Asleep {

  private static final long MOMENT_NANOS = 5_000_000_000L;

  public static void main(String[] args) throws InterruptedException {
    for (int pinned = Integer.parseInt(args[0]); pinned > 0; pinned--) {
      Thread.startVirtualThread(Asleep::keepCarrier);
    }
    Thread.sleep(300);
    AtomicLong ran = new AtomicLong();
    long started = 0;
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    while (System.nanoTime() < end) {
      for (int i = ThreadLocalRandom.current().nextInt(4); i >= 0; i--) {
        Thread.startVirtualThread(ran::incrementAndGet);
        started++;
      }
      long asked = System.nanoTime();
      while (ran.get() < started) {
        if (System.nanoTime() - asked > MOMENT_NANOS) {
          System.out.printf("asleep: %d of %,d wait for 5 s%n", started - ran.get(), started);
          System.exit(1);
        }
        Thread.onSpinWait();
      }
    }
    System.out.printf("all of %,d ran%n", started);
    System.exit(0);
  }

  private static void keepCarrier() {
    synchronized (new Object()) {
      while (true) {
        LockSupport.park();
      }
    }
  }
}
