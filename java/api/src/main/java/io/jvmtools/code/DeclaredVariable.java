package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A local variable of a method, as the class file declares it: parameters and {@code this} are
 * among them. One name may be declared more than once, and one slot may hold one variable after the
 * other.
 *
 * @param name its name in the source
 * @param signature the descriptor of its type, for example {@code "J"} or {@code "Lcom/acme/Cart;"}
 * @param generic the generic signature of its type, for example {@code "Ljava/util/List<TE;>;"};
 *     empty if it has none
 * @param slot where a frame keeps it; a {@code long} or {@code double} takes the next slot, too
 * @param start the index of the first bytecode at which it has a value
 * @param end the index of the first bytecode after that at which it has none
 */
public record DeclaredVariable(
    String name, String signature, Optional<String> generic, int slot, long start, long end) {

  static {
    Makers.register(
        DeclaredVariable.class,
        new Maker<Environment, Function<JvmMethod, Optional<List<DeclaredVariable>>>>() {
          @Override
          public VariableTables make(Environment environment) {
            return new VariableTables(environment);
          }
        });
  }

  /**
   * Refuses {@code null} components.
   *
   * @param name its name
   * @param signature the descriptor of its type
   * @param generic the generic signature of its type
   * @param slot where a frame keeps it
   * @param start where its range begins
   * @param end where its range ends
   */
  public DeclaredVariable {
    requireNonNull(name, "name");
    requireNonNull(signature, "signature");
    requireNonNull(generic, "generic");
  }

  /**
   * Whether it has a value at a location.
   *
   * @param location a bytecode index, as a frame has it
   * @return whether that is in its range
   */
  public boolean isInScope(long location) {
    return start <= location && location < end;
  }

  /**
   * Name, type, slot and range.
   *
   * @return for example {@code "total J in slot 2, 4 to 17"}
   */
  @Override
  public String toString() {
    return name + " " + signature + " in slot " + slot + ", " + start + " to " + end;
  }
}
