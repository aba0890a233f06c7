package io.jvmtools.stack;

import io.jvmtools.code.JvmMethod;

/** A stack that no thread has. */
public final class FabricatedStack {

  private FabricatedStack() {}

  public static StackTrace of(JvmMethod[] methods, long[] locations) {
    return new StackTrace(methods, locations, null, 0);
  }

  public static StackFrame frame(JvmMethod method, long location) {
    return new StackFrame(method, location, 0, null);
  }
}
