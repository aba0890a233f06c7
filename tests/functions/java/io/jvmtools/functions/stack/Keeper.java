package io.jvmtools.functions.stack;

import java.util.Arrays;

/** Keeps values of each kind in a frame while it calls on, and then says what they are by then. */
public final class Keeper implements Runnable {

  private final Runnable next;
  private volatile String outcome = "";

  public Keeper(Runnable next) {
    this.next = next;
  }

  /** What the frame kept at its end. */
  String outcome() {
    return outcome;
  }

  @Override
  public void run() {
    outcome = keep(true, (byte) -1, 'c', (short) -2, 3, 4L, 5.5f, 6.5, "text", new int[] {7}, null);
  }

  private String keep(
      boolean flag,
      byte small,
      char letter,
      short less,
      int number,
      long wide,
      float half,
      double real,
      String text,
      int[] array,
      Keeper peer) {
    next.run();
    return Arrays.asList(
            flag, small, letter, less, number, wide, half, real, text, array.length, peer != null)
        .toString();
  }

  /** With a variable whose range ends where the next method is called. */
  static int keepForAWhile(Runnable next) {
    int sum = 0;
    {
      int gone = 8;
      sum += gone;
    }
    next.run();
    return sum;
  }
}
