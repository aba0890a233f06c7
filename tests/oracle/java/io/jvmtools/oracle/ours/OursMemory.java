package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.MemoryFunctions;
import java.nio.ByteBuffer;

/** The stem {@code memory} through the public API. */
interface OursMemory extends MemoryFunctions, OurEnvironment {

  @Override
  default String allocate(int bytes) {
    return text(jvmti().memory().allocate(bytes));
  }

  /** What a buffer holds when it is full of sevens. */
  private static String text(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      buffer.put((byte) 7);
    }
    int bytes = buffer.capacity();
    String last = bytes > 0 ? String.valueOf(buffer.get(bytes - 1)) : "none";
    return bytes + " bytes, the last one " + last;
  }
}
