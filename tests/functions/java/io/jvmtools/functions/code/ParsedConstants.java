package io.jvmtools.functions.code;

import io.jvmtools.code.Constant;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;

/** The constants of a class file as ASM reads them, as texts that can be compared. */
final class ParsedConstants {

  private final byte[] file;
  private final ClassReader reader;
  private final char[] text;

  private ParsedConstants(byte[] file) {
    this.file = file;
    this.reader = new ClassReader(file);
    this.text = new char[reader.getMaxStringLength()];
  }

  /** Each with its index. */
  static List<String> of(byte[] file) {
    ParsedConstants parsed = new ParsedConstants(file);
    List<String> all = new ArrayList<>();
    for (int i = 1; i < parsed.reader.getItemCount(); i++) {
      // Behind a long or a double there is none.
      if (parsed.reader.getItem(i) != 0) {
        all.add(i + " " + parsed.constant(i));
      }
    }
    return all;
  }

  private String constant(int index) {
    int at = reader.getItem(index);
    int tag = reader.readByte(at - 1);
    return switch (tag) {
      case 1 -> "Utf8 " + utf8(at);
      case 3, 4, 5, 6 -> number(reader.readConst(index, text));
      case 7 -> "Class " + reader.readUTF8(at, text);
      case 8 -> "String " + reader.readConst(index, text);
      case 9 -> "FIELD " + member(at, " ");
      case 10 -> "METHOD " + member(at, "");
      case 11 -> "INTERFACE_METHOD " + member(at, "");
      case 12 -> "NameAndType " + reader.readUTF8(at, text) + ' ' + reader.readUTF8(at + 2, text);
      case 15 -> handle(at);
      case 16 -> "Type " + ((Type) reader.readConst(index, text)).getDescriptor();
      case 17 -> "CONSTANT " + dynamic(at);
      case 18 -> "CALL_SITE " + dynamic(at);
      case 19 -> "MODULE " + reader.readUTF8(at, text);
      case 20 -> "PACKAGE " + reader.readUTF8(at, text);
      default -> throw new IllegalStateException("no constant has the tag " + tag);
    };
  }

  /** Which ASM reads only for others. */
  private String utf8(int at) {
    try {
      return new DataInputStream(new ByteArrayInputStream(file, at, file.length - at)).readUTF();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String number(Object value) {
    return value.getClass().getSimpleName() + ' ' + value;
  }

  private String member(int at, String separator) {
    int named = reader.getItem(reader.readUnsignedShort(at + 2));
    return reader.readClass(at, text)
        + '.'
        + reader.readUTF8(named, text)
        + separator
        + reader.readUTF8(named + 2, text);
  }

  private String handle(int at) {
    String kind = List.of(Constant.Handle.Kind.values()).get(reader.readByte(at) - 1).name();
    return "Handle " + kind + ' ' + constant(reader.readUnsignedShort(at + 1));
  }

  private String dynamic(int at) {
    int named = reader.getItem(reader.readUnsignedShort(at + 2));
    return "bootstrap "
        + reader.readUnsignedShort(at)
        + ' '
        + reader.readUTF8(named, text)
        + ' '
        + reader.readUTF8(named + 2, text);
  }
}
