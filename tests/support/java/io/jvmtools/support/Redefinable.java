package io.jvmtools.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A class of which nobody minds if it is made of its own class file again, however often. */
public final class Redefinable {

  private Redefinable() {}

  /** Calls nothing: of a class that does, the JVM keeps more constants with each redefinition. */
  public static final class Plain {
    /** To be watched. */
    public static int field;
  }

  /** Its class file. */
  public static byte[] file() {
    try (InputStream in = Redefinable.class.getResourceAsStream("Redefinable$Plain.class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
