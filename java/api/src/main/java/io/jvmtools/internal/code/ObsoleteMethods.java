package io.jvmtools.internal.code;

/** What the JVM does with the methods that a redefinition has replaced and that nobody runs. */
public final class ObsoleteMethods {

  /** Whether asking about one may read memory that has been freed. */
  public static final boolean DANGLE = dangle(Runtime.version());

  private ObsoleteMethods() {}

  /**
   * Until JDK-8313816 was fixed, the id of such a method led to where the method had been.
   *
   * @param version of a JDK
   * @return whether it has not been fixed there
   */
  public static boolean dangle(Runtime.Version version) {
    return switch (version.feature()) {
      case 17 -> version.update() < 11;
      case 21 -> version.update() < 3;
      default -> version.feature() < 22;
    };
  }
}
