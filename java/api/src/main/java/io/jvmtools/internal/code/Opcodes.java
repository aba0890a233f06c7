package io.jvmtools.internal.code;

/** What the bytecodes of the Java virtual machine are called, and what follows them. */
public final class Opcodes {

  /** The prefix of a bytecode that has a local variable of two bytes. */
  public static final int WIDE = 0xc4;

  /** What follows a bytecode. */
  public enum Operands {
    /** Nothing. */
    NONE,
    /** A number of one byte. */
    BYTE,
    /** A number of two bytes. */
    SHORT,
    /** A local variable. */
    LOCAL,
    /** A local variable, and what is added to it. */
    INCREMENT,
    /** A constant below 256. */
    SMALL_CONSTANT,
    /** A constant. */
    CONSTANT,
    /** A constant, and a number of one byte. */
    CONSTANT_AND_COUNT,
    /** A constant, a number of one byte and a zero. */
    INTERFACE_CALL,
    /** A constant and two zeros. */
    DYNAMIC_CALL,
    /** A primitive type. */
    TYPE,
    /** A jump of two bytes. */
    JUMP,
    /** A jump of four bytes. */
    LONG_JUMP,
    /** Jumps for the numbers from one to another. */
    TABLE,
    /** Numbers with their jumps. */
    LOOKUP,
    /** Another bytecode, whose numbers have two bytes. */
    WIDE
  }

  private static final String[] NAMES =
      """
      nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0
      lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w
      iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3
      fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2
      aload_3 iaload laload faload daload aaload baload caload saload istore lstore fstore dstore
      astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0
      fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2
      astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1
      dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul
      idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr
      iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s
      lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt
      if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch
      ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield
      invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray
      arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray ifnull
      ifnonnull goto_w jsr_w
      """
          .strip()
          .split("\\s+");

  private Opcodes() {}

  /**
   * The name of a bytecode.
   *
   * @param opcode its number
   * @return for example {@code "aload_0"}; the number in hexadecimal if no class file may have it
   */
  public static String name(int opcode) {
    return opcode < NAMES.length ? NAMES[opcode] : "0x" + Integer.toHexString(opcode);
  }

  /**
   * What follows a bytecode.
   *
   * @param opcode its number
   * @return its operands
   */
  public static Operands operands(int opcode) {
    return switch (name(opcode)) {
      case "bipush" -> Operands.BYTE;
      case "sipush" -> Operands.SHORT;
      case "iload", "lload", "fload", "dload", "aload" -> Operands.LOCAL;
      case "istore", "lstore", "fstore", "dstore", "astore", "ret" -> Operands.LOCAL;
      case "iinc" -> Operands.INCREMENT;
      case "ldc" -> Operands.SMALL_CONSTANT;
      case "ldc_w", "ldc2_w", "new", "anewarray", "checkcast", "instanceof" -> Operands.CONSTANT;
      case "getstatic", "putstatic", "getfield", "putfield" -> Operands.CONSTANT;
      case "invokevirtual", "invokespecial", "invokestatic" -> Operands.CONSTANT;
      case "invokeinterface" -> Operands.INTERFACE_CALL;
      case "invokedynamic" -> Operands.DYNAMIC_CALL;
      case "multianewarray" -> Operands.CONSTANT_AND_COUNT;
      case "newarray" -> Operands.TYPE;
      case "goto", "jsr", "ifnull", "ifnonnull" -> Operands.JUMP;
      case "goto_w", "jsr_w" -> Operands.LONG_JUMP;
      case "tableswitch" -> Operands.TABLE;
      case "lookupswitch" -> Operands.LOOKUP;
      case "wide" -> Operands.WIDE;
      default -> name(opcode).startsWith("if") ? Operands.JUMP : Operands.NONE;
    };
  }

  /**
   * The type of which {@code newarray} makes an array.
   *
   * @param code its operand
   * @return for example {@code "int"}
   */
  public static String arrayType(int code) {
    return switch (code) {
      case 4 -> "boolean";
      case 5 -> "char";
      case 6 -> "float";
      case 7 -> "double";
      case 8 -> "byte";
      case 9 -> "short";
      case 10 -> "int";
      case 11 -> "long";
      default -> String.valueOf(code);
    };
  }
}
