package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.MemoryFunctions;
import io.jvmtools.oracle.asked.Observer;
import java.util.Arrays;

/** What Java says itself of the stem {@code memory}. */
interface JavaMemory extends MemoryFunctions {

  @Override
  default String allocate(int bytes) {
    if (bytes < 0) {
      throw new Observer.NoAnswer();
    }
    byte[] memory = new byte[bytes];
    Arrays.fill(memory, (byte) 7);
    String last = bytes > 0 ? String.valueOf(memory[bytes - 1]) : "none";
    return bytes + " bytes, the last one " + last;
  }
}
