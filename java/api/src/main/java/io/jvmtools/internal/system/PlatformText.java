package io.jvmtools.internal.system;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;

/**
 * Text as the operating system has it, and with it the JVM: the names of its files, and what its
 * command line says. The specification speaks of modified UTF-8.
 */
public final class PlatformText {

  private static final Charset ENCODING = encoding();

  /** No text of the system's has a zero, so the JVM is not asked for one that has. */
  private static final byte[] NOT_SAID = {0};

  private PlatformText() {}

  /**
   * The bytes of a text.
   *
   * @param text any text
   * @return the bytes, a zero among them if the text has one, or if the platform cannot say it
   */
  public static byte[] bytes(String text) {
    try {
      ByteBuffer encoded =
          ENCODING
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException unmappable) {
      return NOT_SAID.clone();
    }
  }

  /**
   * A file as the system has it.
   *
   * @param path any path
   * @param parameter what the caller calls it
   * @return its file
   * @throws IllegalArgumentException if it is not one of the default file system
   */
  public static File file(Path path, String parameter) {
    try {
      return requireNonNull(requireNonNull(path, parameter).toFile(), parameter);
    } catch (UnsupportedOperationException elsewhere) {
      throw new IllegalArgumentException(
          parameter + ": no file of the default file system", elsewhere);
    }
  }

  private static Charset encoding() {
    try {
      return Charset.forName(System.getProperty("sun.jnu.encoding", ""));
    } catch (IllegalArgumentException unknown) {
      return Charset.defaultCharset();
    }
  }
}
