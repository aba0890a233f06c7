package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.stack.SlotValues;
import org.jspecify.annotations.Nullable;

/**
 * A local variable in a frame of a {@link ThreadDump}, as text: no object of the program is kept,
 * and no method of one was called to write it.
 *
 * @param name its name in the source
 * @param signature the descriptor of its type, for example {@code "J"} or {@code "Lcom/acme/Cart;"}
 * @param value a number, {@code true}, a quoted character or string, {@code class@hash} of another
 *     object, or {@code null}; a long string is cut
 */
public record DumpedLocal(String name, String signature, String value) {

  /**
   * Refuses {@code null} components.
   *
   * @param name its name
   * @param signature the descriptor of its type
   * @param value its value as text
   */
  public DumpedLocal {
    requireNonNull(name, "name");
    requireNonNull(signature, "signature");
    requireNonNull(value, "value");
  }

  static DumpedLocal of(String name, String signature, long bits, @Nullable Object object) {
    Object value = SlotValues.boxed(signature, bits, object);
    return new DumpedLocal(name, signature, SlotValues.text(signature, value));
  }

  /**
   * The variable as an assignment.
   *
   * @return for example {@code "total = 42"}
   */
  @Override
  public String toString() {
    return name + " = " + value;
  }
}
