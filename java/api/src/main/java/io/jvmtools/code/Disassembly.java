package io.jvmtools.code;

import io.jvmtools.internal.code.Opcodes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/** Reads code that the JVM has verified, and therefore believes it. */
final class Disassembly {

  private final ByteBuffer code;
  private int location;

  Disassembly(byte[] code) {
    this.code = ByteBuffer.wrap(code);
  }

  List<Instruction> instructions() {
    List<Instruction> instructions = new ArrayList<>();
    while (code.hasRemaining()) {
      location = code.position();
      instructions.add(next());
    }
    return Collections.unmodifiableList(instructions);
  }

  private Instruction next() {
    int opcode = unsigned();
    if (opcode != Opcodes.WIDE) {
      return new Instruction(location, Opcodes.name(opcode), operands(opcode));
    }
    int widened = unsigned();
    String operands = String.valueOf(unsignedShort());
    if (Opcodes.operands(widened) == Opcodes.Operands.INCREMENT) {
      operands += ", " + code.getShort();
    }
    return new Instruction(location, Opcodes.name(widened) + "_w", operands);
  }

  private String operands(int opcode) {
    return switch (Opcodes.operands(opcode)) {
      case NONE, WIDE -> "";
      case BYTE -> String.valueOf(code.get());
      case SHORT -> String.valueOf(code.getShort());
      case LOCAL -> String.valueOf(unsigned());
      case INCREMENT -> unsigned() + ", " + code.get();
      case SMALL_CONSTANT -> "#" + unsigned();
      case CONSTANT -> "#" + unsignedShort();
      case CONSTANT_AND_COUNT -> "#" + unsignedShort() + ", " + unsigned();
      case INTERFACE_CALL -> "#" + unsignedShort() + ", " + unsignedShort() / 256;
      case DYNAMIC_CALL -> "#" + unsignedShort() + ", " + unsignedShort();
      case TYPE -> Opcodes.arrayType(unsigned());
      case JUMP -> String.valueOf(location + code.getShort());
      case LONG_JUMP -> jump();
      case TABLE -> table();
      case LOOKUP -> lookup();
    };
  }

  private String table() {
    align();
    String byDefault = jump();
    int low = code.getInt();
    int high = code.getInt();
    StringJoiner cases = cases();
    for (long key = low; key <= high; key++) {
      cases.add(key + ": " + jump());
    }
    return cases.add("default: " + byDefault).toString();
  }

  private String lookup() {
    align();
    String byDefault = jump();
    StringJoiner cases = cases();
    for (int pairs = code.getInt(); pairs > 0; pairs--) {
      cases.add(code.getInt() + ": " + jump());
    }
    return cases.add("default: " + byDefault).toString();
  }

  private static StringJoiner cases() {
    return new StringJoiner(", ", "{ ", " }");
  }

  /** Tables begin at a multiple of four. */
  private void align() {
    code.position((code.position() + 3) & ~3);
  }

  private String jump() {
    return String.valueOf(location + code.getInt());
  }

  private int unsigned() {
    return Byte.toUnsignedInt(code.get());
  }

  private int unsignedShort() {
    return Short.toUnsignedInt(code.getShort());
  }
}
