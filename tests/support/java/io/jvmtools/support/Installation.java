package io.jvmtools.support;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the suite runs on: the JDK of this JVM, and the product as the build made it. */
public final class Installation {

  private Installation() {}

  /** The {@code java} command of this JVM's JDK, or of an emulator that runs it. */
  public static Path java() {
    return isEmulated()
        ? Path.of(System.getProperty("jvmtools.test.java"))
        : javaHome().resolve("bin/java");
  }

  /** Whether this JVM is for another machine than this one, and slow. */
  public static boolean isEmulated() {
    return System.getProperty("jvmtools.test.java") != null;
  }

  /** The home of this JVM's JDK, which may be a bare runtime. */
  public static Path javaHome() {
    return Path.of(System.getProperty("java.home"));
  }

  /** The feature release of this JVM's JDK. */
  public static int feature() {
    return Runtime.version().feature();
  }

  /** Whether threads of the library stay once their work is done, as JDK-8319935 demands. */
  public static boolean keepsThreads() {
    return feature() >= 19 && feature() <= 21;
  }

  /** Whether this JDK has a native library such as {@code libjdwp.so}. */
  public static boolean hasJdkLibrary(String file) {
    return Files.exists(javaHome().resolve("lib").resolve(file));
  }

  /** The jar of the product. */
  public static Path jar() {
    return Path.of(property("jvmtools.test.jar"));
  }

  /** The release library, as a file of its own. */
  public static Path library() {
    return Path.of(property("jvmtools.test.library"));
  }

  /** The jar, the tests and what they need. */
  public static List<Path> classPath() {
    String[] entries = property("jvmtools.test.classpath").split(File.pathSeparator);
    return List.of(entries).stream().map(Path::of).toList();
  }

  /** Where children leave what they printed. */
  public static Path logs() {
    return Path.of(property("jvmtools.test.logs"));
  }

  /** The root of the source tree. */
  public static Path root() {
    return Path.of(property("jvmtools.test.root"));
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("The build did not set the system property " + name);
    }
    return value;
  }
}
