package io.jvmtools.code;

import io.jvmtools.internal.code.MethodFacts;

/** A method that no JVM has. */
public final class FabricatedMethod {

  private FabricatedMethod() {}

  public static JvmMethod of(MethodFacts facts) {
    return new JvmMethod(facts);
  }
}
