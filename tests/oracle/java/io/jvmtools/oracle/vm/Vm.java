package io.jvmtools.oracle.vm;

import io.jvmtools.oracle.asked.Notes;

/** The C++ agent: each native is one call of a function of {@code jvmti.h}. */
public final class Vm extends VmNatives {

  /** The environment; the natives read it. */
  @SuppressWarnings("unused")
  private final long env;

  public Vm(String... capabilities) {
    env = open();
    if (capabilities.length > 0) {
      Notes.require("NONE", addCapabilities(capabilities));
    }
  }

  private static native long open();
}
