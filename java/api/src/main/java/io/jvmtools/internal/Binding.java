package io.jvmtools.internal;

import io.jvmtools.VersionMismatchException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Ties these classes to a library that is in the process. */
final class Binding {

  private static final String AGENT = "an agent in this JVM";

  /** An agent opens it in the boot class loader, for copies of these classes in other packages. */
  private static final String DOOR = "jvmtools.Door";

  private Binding() {}

  /**
   * To an agent, if there is one.
   *
   * @throws VersionMismatchException if it is of another version; a relocated copy, which somebody
   *     packed with a version of its own, takes no notice of that agent instead
   */
  static boolean toAgent(Attempts attempts) {
    try {
      bind();
      return true;
    } catch (UnsatisfiedLinkError absent) {
      return throughDoor(attempts);
    } catch (LinkageError | IllegalCallerException unfit) {
      attempts.add(AGENT, Explanation.reason(unfit));
      return false;
    }
  }

  /** To a library that has just been loaded. */
  static boolean toLoaded(String what, Attempts attempts) {
    try {
      bind();
      return true;
    } catch (UnsatisfiedLinkError absent) {
      attempts.add(what, "loaded, but it is not a library of JvmTools");
    } catch (IllegalCallerException denied) {
      attempts.deny(what, denied);
    } catch (LinkageError unfit) {
      attempts.add(what, Explanation.reason(unfit));
    }
    return false;
  }

  /** Whether these classes were moved to another package: then the exported probe is not theirs. */
  static boolean isRelocated() {
    // In one piece a relocating tool would rename it too.
    return !Probe.class.getPackageName().equals(String.join(".", "io", "jvmtools", "internal"));
  }

  private static void bind() {
    String version = version();
    String other = Probe.bind(Bridge.ABI, version);
    if (other != null) {
      throw new VersionMismatchException(version + " (ABI " + Bridge.ABI + ")", other);
    }
  }

  private static boolean throughDoor(Attempts attempts) {
    try {
      Class<?> door = Class.forName(DOOR, false, null);
      door.getMethod("admit", Class.class).invoke(null, Probe.class);
      bind();
      return true;
    } catch (ClassNotFoundException closed) {
      attempts.add(AGENT, "none");
    } catch (VersionMismatchException other) {
      attempts.add(AGENT, "it is of another version than these classes: " + other.library());
    } catch (ReflectiveOperationException | LinkageError unfit) {
      attempts.add(AGENT, Explanation.reason(unfit));
    }
    return false;
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = Binding.class.getResourceAsStream("/META-INF/jvmtools.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      return "unknown";
    }
    return properties.getProperty("version", "unknown");
  }
}
