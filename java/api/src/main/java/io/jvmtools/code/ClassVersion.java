package io.jvmtools.code;

/**
 * The version of a class file.
 *
 * @param major which Java it was compiled for: 61 for Java 17, 65 for 21, 69 for 25
 * @param minor 0; 65535 if it uses preview features; something else in files of before Java 12
 */
public record ClassVersion(int major, int minor) {

  private static final int BEFORE_JAVA_1 = 44;
  private static final int PREVIEW = 0xffff;

  /**
   * The Java that the class was compiled for.
   *
   * @return the feature release: 17 for the major version 61
   */
  public int feature() {
    return major - BEFORE_JAVA_1;
  }

  /**
   * Whether it uses preview features, so that only the JVM of that very release takes it.
   *
   * @return whether the minor version says so
   */
  public boolean usesPreview() {
    return minor == PREVIEW;
  }

  /**
   * The numbers, and the Java that they stand for.
   *
   * @return for example {@code "61.0 (Java 17)"}
   */
  @Override
  public String toString() {
    return major + "." + minor + " (Java " + feature() + (usesPreview() ? ", preview)" : ")");
  }
}
