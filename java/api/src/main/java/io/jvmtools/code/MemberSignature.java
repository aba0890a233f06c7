package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.code.MemberNameFacts;
import java.util.Optional;

/**
 * What a method or a field is called, and of which type it is.
 *
 * @param name the name, {@code "<init>"} of a constructor
 * @param signature the descriptor, for example {@code "(ILjava/util/List;)V"} or {@code "[I"}
 * @param generic the signature with type parameters and arguments as the class file has it, for
 *     example {@code "(ILjava/util/List<TE;>;)V"}; empty if there are none
 */
public record MemberSignature(String name, String signature, Optional<String> generic) {

  /**
   * Refuses {@code null} components.
   *
   * @param name the name
   * @param signature the descriptor
   * @param generic the generic signature
   */
  public MemberSignature {
    requireNonNull(name, "name");
    requireNonNull(signature, "signature");
    requireNonNull(generic, "generic");
  }

  /** What a native has told. */
  static MemberSignature of(MemberNameFacts facts) {
    return new MemberSignature(
        facts.name(), facts.signature(), Optional.ofNullable(facts.generic()));
  }

  /**
   * The name and the signature, and the generic one behind them.
   *
   * @return for example {@code "size ()I"}
   */
  @Override
  public String toString() {
    return name + ' ' + signature + generic.map(text -> ' ' + text).orElse("");
  }
}
