package io.jvmtools.system;

/** The type of a parameter of an extension, or of what it points to, as {@code jni.h} has it. */
public enum ParameterType {
  /** {@code jbyte}. */
  JBYTE(101),
  /** {@code jchar}. */
  JCHAR(102),
  /** {@code jshort}. */
  JSHORT(103),
  /** {@code jint}. */
  JINT(104),
  /** {@code jlong}. */
  JLONG(105),
  /** {@code jfloat}. */
  JFLOAT(106),
  /** {@code jdouble}. */
  JDOUBLE(107),
  /** {@code jboolean}. */
  JBOOLEAN(108),
  /** {@code jobject}. */
  JOBJECT(109),
  /** {@code jthread}. */
  JTHREAD(110),
  /** {@code jclass}. */
  JCLASS(111),
  /** {@code jvalue}. */
  JVALUE(112),
  /** {@code jfieldID}. */
  JFIELDID(113),
  /** {@code jmethodID}. */
  JMETHODID(114),
  /** {@code char}. */
  CCHAR(115),
  /** {@code void}. */
  CVOID(116),
  /** {@code JNIEnv}. */
  JNIENV(117),
  /** One that this version of JvmTools does not know. */
  UNKNOWN(0);

  private final int number;

  ParameterType(int number) {
    this.number = number;
  }

  static ParameterType of(int number) {
    for (ParameterType value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    return UNKNOWN;
  }
}
