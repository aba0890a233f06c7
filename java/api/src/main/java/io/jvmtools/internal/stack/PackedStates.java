package io.jvmtools.internal.stack;

import java.util.function.ObjIntConsumer;

/** The states in what was read of the stacks of several threads. */
public final class PackedStates {

  private PackedStates() {}

  /**
   * Hands them over, in their order.
   *
   * @param facts what a native has answered
   * @param reader takes each thread with the bits of its state
   */
  public static void each(StackFacts facts, ObjIntConsumer<Thread> reader) {
    long[] packed = facts.packed();
    int width = (int) packed[0];
    int at = 1;
    for (Thread thread : facts.threads()) {
      reader.accept(thread, (int) packed[at]);
      at += 2 + (int) packed[at + 1] * width;
    }
  }
}
