package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How the JVM writes the name of a class.
 *
 * @param signature for example {@code "Ljava/util/List;"}, {@code "[I"} or {@code "I"}; that of a
 *     hidden class has a dot in it, {@code "Lcom/acme/Cart$$Lambda.0x0123;"}, and is no descriptor
 * @param generic its type parameters, superclass and interfaces as the class file has them, for
 *     example {@code "<E:Ljava/lang/Object;>Ljava/lang/Object;Ljava/util/Collection<TE;>;"}; empty
 *     if it is not generic
 */
public record ClassSignature(String signature, Optional<String> generic) {

  /**
   * Refuses {@code null} components.
   *
   * @param signature the signature
   * @param generic the generic signature
   */
  public ClassSignature {
    requireNonNull(signature, "signature");
    requireNonNull(generic, "generic");
  }

  /**
   * The signature, and the generic one behind it.
   *
   * @return for example {@code "Ljava/lang/String;"}
   */
  @Override
  public String toString() {
    return signature + generic.map(text -> " " + text).orElse("");
  }
}
