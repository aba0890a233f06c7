package io.jvmtools.oracle;

import java.nio.ByteBuffer;

/** What Java says itself of the stem {@code memory}. */
interface JavaMemory extends MemoryFunctions {

  @Override
  default String allocate(int bytes) {
    if (bytes < 0) {
      throw new Observer.NoAnswer();
    }
    return OursMemory.text(ByteBuffer.allocateDirect(bytes));
  }
}
