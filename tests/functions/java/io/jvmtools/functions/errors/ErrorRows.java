package io.jvmtools.functions.errors;

import java.util.List;

/**
 * The errors of the functions of one stem, or of a room in it, but for what follows from spec/; a
 * class of this folder is found by its name.
 */
interface ErrorRows {

  /** What Java provokes, but for what {@link ImpliedCalls} knows of all functions. */
  List<Provocation> provoked();

  /** What Java cannot provoke, but for what {@link Implied} knows of all functions. */
  default List<Impossible> impossible() {
    return List.of();
  }
}
