package io.jvmtools.support;

/** Each of its native methods answers its own number, unless it is bound to other code. */
public final class NativeNumbers {

  /** What the code of a method is called in {@link JniCalls#LIBRARY}, before its name. */
  public static final String PREFIX = "Java_io_jvmtools_support_NativeNumbers_";

  static {
    System.load(JniCalls.LIBRARY.toString());
  }

  private NativeNumbers() {}

  public static native int one();

  public static native int two();

  public static native int three();

  public static native int four();

  public static native int five();
}
