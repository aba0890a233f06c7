package io.jvmtools.functions;

/** Calls on. Copies of this class in other loaders put foreign frames onto a stack. */
public final class Relay implements Runnable {

  private final Runnable next;

  public Relay(Runnable next) {
    this.next = next;
  }

  @Override
  public void run() {
    pass(next);
  }

  private static void pass(Runnable next) {
    next.run();
  }
}
