import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Four virtual threads that are mounted all the time, asked one by one for ten seconds, with short pauses. */
public class Mounting {

  private static volatile int sink;

  static native void ask(Thread thread);

  public static void main(String[] args) {
    System.load(args[0]);
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = Thread.startVirtualThread(Mounting::work);
    }
    Random random = new Random();
    long asked = 0;
    for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end; asked++) {
      ask(threads[random.nextInt(threads.length)]);
      // While nobody asks, the VM guards nothing: a question that follows at once finds it guarded.
      try {
        throw new IllegalStateException();
      } catch (IllegalStateException e) {
        sink++;
      }
      for (long then = System.nanoTime() + random.nextInt(5_000); System.nanoTime() < then; ) {
        Thread.onSpinWait();
      }
    }
    System.out.println(asked + " questions");
    System.exit(0);
  }

  private static void work() {
    Object lock = new Object();
    while (true) {
      synchronized (lock) {
        Thread.yield();
      }
      LockSupport.parkNanos(1_000);
    }
  }
}
