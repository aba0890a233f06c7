package io.jvmtools.functions.code;

import io.jvmtools.code.LineNumber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.ClassReader;

/** The members of a class file, byte by byte, with the constants as ASM reads them. */
final class ParsedClass {

  /** A field with its flags and its signatures. */
  record ParsedField(int access, String name, String signature, Optional<String> generic) {}

  /** A method; without code if it is native or abstract. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record ParsedMethod(
      int access,
      String key,
      Optional<String> generic,
      int maxLocals,
      Optional<byte[]> code,
      List<LineNumber> lines) {}

  private final byte[] file;
  private final ClassReader reader;
  private final char[] text;
  private final List<ParsedField> fields = new ArrayList<>();
  private final List<ParsedMethod> methods = new ArrayList<>();
  private int at;

  ParsedClass(byte[] file) {
    this.file = file;
    this.reader = new ClassReader(file);
    this.text = new char[reader.getMaxStringLength()];
    // Behind the flags, the name and the superclass.
    at = reader.header + 6;
    for (int interfaces = number(); interfaces > 0; interfaces--) {
      number();
    }
    for (int count = number(); count > 0; count--) {
      fields.add(field());
    }
    for (int count = number(); count > 0; count--) {
      methods.add(method());
    }
  }

  List<ParsedField> fields() {
    return fields;
  }

  List<ParsedMethod> methods() {
    return methods;
  }

  private ParsedField field() {
    int access = number();
    String name = string();
    String signature = string();
    Optional<String> generic = Optional.empty();
    for (int count = number(); count > 0; count--) {
      boolean signed = string().equals("Signature");
      int end = end();
      generic = signed ? Optional.of(string()) : generic;
      at = end;
    }
    return new ParsedField(access, name, signature, generic);
  }

  private ParsedMethod method() {
    int access = number();
    String key = string() + string();
    Optional<String> generic = Optional.empty();
    ParsedMethod code = null;
    for (int count = number(); count > 0; count--) {
      String attribute = string();
      int end = end();
      if (attribute.equals("Signature")) {
        generic = Optional.of(string());
      } else if (attribute.equals("Code")) {
        code = code(access, key);
      }
      at = end;
    }
    return code == null
        ? new ParsedMethod(access, key, generic, 0, Optional.empty(), List.of())
        : new ParsedMethod(access, key, generic, code.maxLocals, code.code, code.lines);
  }

  private ParsedMethod code(int access, String key) {
    number();
    int maxLocals = number();
    int end = end();
    byte[] code = Arrays.copyOfRange(file, at, end);
    at = end;
    int handlers = number();
    at += 8 * handlers;
    List<LineNumber> lines = new ArrayList<>();
    for (int count = number(); count > 0; count--) {
      boolean numbered = string().equals("LineNumberTable");
      end = end();
      for (int rows = numbered ? number() : 0; rows > 0; rows--) {
        lines.add(new LineNumber(number(), number()));
      }
      at = end;
    }
    return new ParsedMethod(access, key, Optional.empty(), maxLocals, Optional.of(code), lines);
  }

  private int number() {
    at += 2;
    return reader.readUnsignedShort(at - 2);
  }

  private String string() {
    at += 2;
    return reader.readUTF8(at - 2, text);
  }

  /** Where what follows ends, of which a number of four bytes says how long it is. */
  private int end() {
    at += 4;
    return at + reader.readInt(at - 4);
  }
}
