package io.jvmtools.system;

/** The type of a parameter of an extension, or of what it points to, as {@code jni.h} has it. */
public enum ParameterType {
  /** {@code jbyte}. */
  JBYTE,
  /** {@code jchar}. */
  JCHAR,
  /** {@code jshort}. */
  JSHORT,
  /** {@code jint}. */
  JINT,
  /** {@code jlong}. */
  JLONG,
  /** {@code jfloat}. */
  JFLOAT,
  /** {@code jdouble}. */
  JDOUBLE,
  /** {@code jboolean}. */
  JBOOLEAN,
  /** {@code jobject}. */
  JOBJECT,
  /** {@code jthread}. */
  JTHREAD,
  /** {@code jclass}. */
  JCLASS,
  /** {@code jvalue}. */
  JVALUE,
  /** {@code jfieldID}. */
  JFIELDID,
  /** {@code jmethodID}. */
  JMETHODID,
  /** {@code char}. */
  CCHAR,
  /** {@code void}. */
  CVOID,
  /** {@code JNIEnv}. */
  JNIENV,
  /** One that this version of JvmTools does not know. */
  UNKNOWN;

  /** The number of the first one. */
  private static final int FIRST = 101;

  static ParameterType of(int number) {
    int index = number - FIRST;
    return 0 <= index && index < values().length ? values()[index] : UNKNOWN;
  }
}
