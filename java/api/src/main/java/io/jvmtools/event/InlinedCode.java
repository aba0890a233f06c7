package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Of which methods the code of a compiled method is, at an address.
 *
 * @param address the address
 * @param frames the innermost method first; the last one is the compiled method itself
 */
public record InlinedCode(NativeAddress address, List<Frame> frames) {

  /**
   * A method that was inlined, or into which that was done.
   *
   * @param method the method; empty if the JVM does not tell
   * @param location the index of its bytecode
   */
  public record Frame(Optional<JvmMethod> method, long location) {

    /**
     * Refuses a {@code null}.
     *
     * @param method the method; empty if the JVM does not tell
     * @param location the index of its bytecode
     */
    public Frame {
      requireNonNull(method, "method");
    }
  }

  /**
   * Refuses a {@code null}.
   *
   * @param address the address
   * @param frames the innermost method first; the last one is the compiled method itself
   */
  public InlinedCode {
    requireNonNull(address, "address");
    frames = Lists.copyOf(frames, "frames");
  }

  /** For each an address, how many frames there are, and two numbers for each of those. */
  static List<InlinedCode> of(long[] numbers, Maker<Long, JvmMethod> methods) {
    List<InlinedCode> all = new ArrayList<>();
    int at = 0;
    while (at < numbers.length) {
      NativeAddress address = new NativeAddress(numbers[at]);
      int end = at + 2 + 2 * (int) numbers[at + 1];
      List<Frame> frames = new ArrayList<>();
      for (at += 2; at < end; at += 2) {
        Optional<JvmMethod> method =
            numbers[at] == 0 ? Optional.empty() : Optional.of(methods.make(numbers[at]));
        frames.add(new Frame(method, numbers[at + 1]));
      }
      all.add(new InlinedCode(address, frames));
    }
    return all;
  }
}
