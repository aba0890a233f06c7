/** With carriers.c: what one virtual thread is told of itself. */
public class Carriers {

  static native void ends(boolean on);

  static native void states();

  static native void entries(Thread thread);

  static native void exceptions(Thread thread);

  static native long told();

  private static volatile boolean runs;
  private static volatile boolean stops;
  private static volatile long done;

  static void method() {
    done++;
  }

  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("entry")) {
      entry(args[1]);
    } else {
      exception(args[1]);
    }
    System.out.println(String.join(" ", args) + ": told " + told() + " of " + done);
  }

  private static void entry(String deeds) throws InterruptedException {
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              runs = true;
              while (!stops) {
                Thread.onSpinWait();
              }
              method();
              method();
              method();
            });
    while (!runs) {
      Thread.sleep(1);
    }
    for (char deed : deeds.toCharArray()) {
      switch (deed) {
        case 'a' -> ends(true);
        case 'd' -> states();
        default -> entries(thread);
      }
    }
    stops = true;
    thread.join();
  }

  private static void exception(String deeds) throws InterruptedException {
    for (int i = 0; i < 300_000; i++) {
      fails();
    }
    done = 0;
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              exceptions(Thread.currentThread());
              while (!stops) {
                fails();
                if (deeds.contains("y")) {
                  Thread.yield();
                }
              }
            });
    for (int i = 0; i < 8 && deeds.contains("y"); i++) {
      Thread.startVirtualThread(Carriers::yields);
    }
    long end = System.nanoTime() + 3_000_000_000L;
    while (System.nanoTime() < end) {
      if (deeds.contains("e")) {
        ends(true);
      }
      if (deeds.contains("d")) {
        states();
      }
      Thread.sleep(1);
      if (deeds.contains("e")) {
        ends(false);
      }
      Thread.sleep(1);
    }
    stops = true;
    thread.join();
  }

  private static void yields() {
    while (!stops) {
      Thread.yield();
    }
  }

  private static void fails() {
    try {
      throw new IllegalStateException();
    } catch (IllegalStateException expected) {
      done++;
    }
  }
}
