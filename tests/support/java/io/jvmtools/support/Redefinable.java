package io.jvmtools.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A class of which nobody minds if it is made of its own class file again. */
public final class Redefinable {

  private Redefinable() {}

  /** That class file. */
  public static byte[] file() {
    try (InputStream in = Redefinable.class.getResourceAsStream("Redefinable.class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
