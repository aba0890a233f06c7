package io.jvmtools.functions.errors;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An error that no call from Java provokes.
 *
 * @param function the function
 * @param error the name of the error without the prefix
 * @param why why not
 * @param direct what the JVM says to the nearest call that a native can make
 */
public record Impossible(String function, String error, String why, Optional<DirectAnswer> direct) {

  /** One error of several functions. */
  static List<Impossible> impossible(String error, String why, String... functions) {
    return Arrays.stream(functions)
        .map(function -> new Impossible(function, error, why, Optional.empty()))
        .toList();
  }

  /** One error of a function, with what the JVM says to the nearest call. */
  static Impossible impossible(String error, String why, String function, DirectAnswer direct) {
    return new Impossible(function, error, why, Optional.of(direct));
  }

  /** Two lists as one. */
  static List<Impossible> both(List<Impossible> one, List<Impossible> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** For the name of a test. */
  @Override
  public String toString() {
    return function + " " + error;
  }
}
