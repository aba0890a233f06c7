package io.jvmtools.oracle.ours;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.oracle.asked.Observer;

/** The library, through its public API: one interface for each stem. */
final class Ours implements Observer, OursOfEachStem {

  private static final String PREFIX = "JVMTI_ERROR_";

  private final Jvmti jvmti;

  Ours(String... capabilities) {
    jvmti = Jvmti.open(OursCapabilities.parse(capabilities));
  }

  @Override
  public Jvmti jvmti() {
    return jvmti;
  }

  /**
   * Checks of ours come before the call, so an exception of Java stands where the VM has a code.
   */
  @Override
  public String failure(RuntimeException failure) {
    if (failure instanceof JvmtiException refusal) {
      return withoutPrefix(refusal.error());
    }
    if (failure instanceof IllegalArgumentException) {
      return "ILLEGAL_ARGUMENT";
    }
    if (failure instanceof IllegalStateException
        && failure.getMessage().contains("this environment is closed")) {
      return "INVALID_ENVIRONMENT";
    }
    throw failure;
  }

  static String withoutPrefix(JvmtiError error) {
    return error.name().substring(PREFIX.length());
  }
}
