package io.jvmtools.oracle;

/** The C++ agent: each native is one call of a function of {@code jvmti.h}. */
final class Vm extends VmNatives {

  /** The environment; the natives read it. */
  @SuppressWarnings("unused")
  private final long env;

  Vm(String... capabilities) {
    env = open();
    if (capabilities.length > 0) {
      Notes.require("NONE", addCapabilities(capabilities));
    }
  }

  private static native long open();
}
