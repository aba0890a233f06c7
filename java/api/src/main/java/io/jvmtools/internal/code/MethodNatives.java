package io.jvmtools.internal.code;

import org.jspecify.annotations.Nullable;

/** Methods. */
public final class MethodNatives {

  private MethodNatives() {}

  /** What the metadata environment knows about a method; null if its class has been unloaded. */
  public static native @Nullable Object resolve(long env, long methodId);
}
