package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiError;
import io.jvmtools.internal.stack.SlotValues;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A local variable of a frame, and what it held when it was read.
 *
 * @param name its name in the source, {@code "this"} for the receiver; {@code "arg0"} and so on for
 *     the parameters of a method that was compiled without debug information
 * @param signature the descriptor of its declared type, for example {@code "J"} or {@code
 *     "Lcom/acme/Cart;"}
 * @param slot where the frame keeps it
 * @param value a boxed number or character, a {@link Boolean}, an object of the program, which this
 *     record keeps alive, or {@code null}; {@code null} also if it could not be read
 * @param unread why it could not be read; empty if it was
 */
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public record LocalVariable(
    String name, String signature, int slot, @Nullable Object value, Optional<JvmtiError> unread) {

  /**
   * Refuses what is {@code null} and no value, and a type of no name.
   *
   * @param name its name
   * @param signature the descriptor of its type
   * @param slot where the frame keeps it
   * @param value what it held
   * @param unread why it could not be read
   */
  public LocalVariable {
    requireNonNull(name, "name");
    requireNonNull(signature, "signature");
    requireNonNull(unread, "unread");
    if (signature.isEmpty()) {
      throw new IllegalArgumentException("signature is empty");
    }
  }

  /**
   * The variable as an assignment, for which no method of the program is called.
   *
   * @return for example {@code "total = 42"} or {@code "item = com.acme.Item@1b2c3d"}; the error in
   *     place of the value if it could not be read
   */
  @Override
  public String toString() {
    return name
        + " = "
        + unread.map(JvmtiError::toString).orElseGet(() -> SlotValues.text(signature, value));
  }
}
