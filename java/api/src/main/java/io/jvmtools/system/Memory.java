package io.jvmtools.system;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.StalledException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.MemoryNatives;
import java.nio.ByteBuffer;

/** Memory: what the JVM's own allocator gives, outside of the Java heap. */
public final class Memory {

  static {
    Makers.register(
        Memory.class,
        new Maker<Environment, Memory>() {
          @Override
          public Memory make(Environment environment) {
            return new Memory(environment);
          }
        });
  }

  /** Of the memory that the heap may grow to. */
  private static final int PART = 4;

  private final Environment environment;

  Memory(Environment environment) {
    this.environment = environment;
  }

  /**
   * Memory of the JVM's own allocator. Needs no capability; any phase.
   *
   * <p>It goes back to the JVM by itself, some time after the buffer, and whatever was made of it
   * (slices, views, duplicates), cannot be reached any more: there is nothing to free, and nothing
   * of it that could be used too late. It does not end with the environment.
   *
   * <p>All that there is at a time may take a quarter of what the heap may grow to, {@link
   * Runtime#maxMemory()}, each buffer a few bytes more than it has. Before more is refused the JVM
   * collects garbage, unless that was of little use within the last ten seconds.
   *
   * @param bytes how many; none is right, too
   * @return a direct buffer of so many zeros, whose byte order is that of every new buffer
   * @throws IllegalArgumentException if the number is negative
   * @throws OutOfMemoryError if there would be more than all together may take, or the JVM has no
   *     native memory left
   * @throws StalledException if the thread of the library that makes the first buffer does not
   *     answer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("Allocate")
  public ByteBuffer allocate(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes);
    }
    long limit = Runtime.getRuntime().maxMemory() / PART;
    return (ByteBuffer)
        environment.keep(MemoryNatives.allocate(environment.handle(), bytes, limit));
  }

  /**
   * How many bytes there are in such buffers, whoever in this JVM has asked for them. Those of
   * buffers that the JVM knows to be unreachable are given back before. Needs no capability; any
   * phase.
   *
   * @return their sum
   * @throws IllegalStateException if the environment is closed
   */
  public long allocated() {
    return environment.keep(MemoryNatives.allocated(environment.handle()));
  }
}
