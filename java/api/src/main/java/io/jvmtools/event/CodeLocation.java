package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.NativeAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Of which bytecode the code of a compiled method is, from an address on.
 *
 * @param address the address
 * @param location the index of the bytecode
 */
public record CodeLocation(NativeAddress address, long location) {

  /**
   * Refuses a {@code null}.
   *
   * @param address the address
   * @param location the index of the bytecode
   */
  public CodeLocation {
    requireNonNull(address, "address");
  }

  /** Two numbers for each. */
  static List<CodeLocation> of(long[] pairs) {
    List<CodeLocation> all = new ArrayList<>(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      all.add(new CodeLocation(new NativeAddress(pairs[i]), pairs[i + 1]));
    }
    return all;
  }
}
