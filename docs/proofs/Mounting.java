/** Sixty-four virtual threads that are mounted thousands of times a second, asked for ten seconds. */
public class Mounting {

  static native void ask(Thread[] threads);

  public static void main(String[] args) {
    System.load(args[0]);
    Object[] locks = new Object[8];
    for (int i = 0; i < locks.length; i++) {
      locks[i] = new Object();
    }
    Thread[] threads = new Thread[64];
    for (int i = 0; i < threads.length; i++) {
      Object lock = locks[i % locks.length];
      threads[i] = Thread.startVirtualThread(() -> work(lock));
    }
    long asked = 0;
    for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end; ) {
      ask(threads);
      asked += threads.length;
    }
    System.out.println(asked + " times each");
  }

  private static void work(Object lock) {
    while (true) {
      synchronized (lock) {
        Thread.yield();
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
