package io.jvmtools.code;

import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The constants of a class, which its instructions name by their indices.
 *
 * <pre>{@code
 * ConstantPool pool = JvmTools.getConstantPool(Cart.class).orElseThrow();
 * for (Constant constant : pool.constants()) {
 *   if (constant instanceof Constant.Member used) {
 *     System.out.println(used.owner() + " " + used.name());
 *   }
 * }
 * }</pre>
 *
 * <p>A value of its own, which keeps no class alive.
 */
public final class ConstantPool {

  static {
    Makers.register(
        ConstantPool.class,
        new Maker<byte[], ConstantPool>() {
          @Override
          public ConstantPool make(byte[] bytes) {
            return of(bytes);
          }
        });
  }

  private static final int UTF8 = 1;
  private static final int INTEGER = 3;
  private static final int FLOAT = 4;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int NAME_AND_TYPE = 12;
  private static final int METHOD_HANDLE = 15;
  private static final int METHOD_TYPE = 16;
  private static final int DYNAMIC = 17;
  private static final int INVOKE_DYNAMIC = 18;
  private static final int MODULE = 19;
  private static final int PACKAGE = 20;

  /** In the order of their numbers. */
  private static final List<Constant.Member.Kind> MEMBERS = List.of(Constant.Member.Kind.values());

  /** In the order of their numbers. */
  private static final List<Constant.Handle.Kind> HANDLES = List.of(Constant.Handle.Kind.values());

  /** As a class file has them: how many and one more, and the constants. */
  private final ByteBuffer bytes;

  /** Where the tag of each index stands; 0 where none does. */
  private final int[] tags;

  private ConstantPool(ByteBuffer bytes, int[] tags) {
    this.bytes = bytes;
    this.tags = tags;
  }

  /** Of bytes that nobody else has. */
  static ConstantPool of(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes));
  }

  /**
   * Reads one, to its end.
   *
   * @throws IllegalArgumentException if there is a constant of no known kind
   * @throws BufferUnderflowException if there are too few bytes
   */
  static ConstantPool read(ByteBuffer file) {
    ByteBuffer bytes = file.slice();
    int[] tags = new int[Short.toUnsignedInt(bytes.getShort())];
    for (int i = 1; i < tags.length; i++) {
      tags[i] = bytes.position();
      int tag = bytes.get();
      skip(bytes, tag);
      // Each of these takes two.
      i += tag == LONG || tag == DOUBLE ? 1 : 0;
    }
    bytes.flip();
    file.position(file.position() + bytes.limit());
    return new ConstantPool(bytes.slice(), tags);
  }

  private static void skip(ByteBuffer bytes, int tag) {
    int length =
        switch (tag) {
          case UTF8 -> Short.toUnsignedInt(bytes.getShort());
          case INTEGER, FLOAT, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE -> 4;
          case DYNAMIC, INVOKE_DYNAMIC -> 4;
          case LONG, DOUBLE -> 8;
          case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> 2;
          case METHOD_HANDLE -> 3;
          default -> throw new IllegalArgumentException("No constant has the tag " + tag);
        };
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    bytes.position(bytes.position() + length);
  }

  /**
   * One more than the greatest index, as class files count.
   *
   * @return the number, 1 to 65,535
   */
  public int count() {
    return tags.length;
  }

  /**
   * The constant with an index.
   *
   * @param index any number
   * @return the constant; empty where there is none: at 0, behind a {@code long} or a {@code
   *     double}, and from {@link #count()} on
   */
  public Optional<Constant> at(int index) {
    boolean isOne = index > 0 && index < tags.length && tags[index] > 0;
    return isOne ? Optional.of(constant(index)) : Optional.empty();
  }

  /**
   * All constants.
   *
   * @return an unmodifiable list by ascending index
   */
  public List<Constant> constants() {
    return IntStream.range(1, tags.length)
        .filter(index -> tags[index] > 0)
        .mapToObj(this::constant)
        .toList();
  }

  /**
   * The bytes, as a class file has them: how many constants there are and one more, and the
   * constants.
   *
   * @return a new array
   */
  public byte[] toByteArray() {
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    return copy;
  }

  private Constant constant(int index) {
    int tag = bytes.get(tags[index]);
    int value = tags[index] + 1;
    return switch (tag) {
      case UTF8 -> new Constant.Utf8(index, text(index));
      case INTEGER -> new Constant.Numeric(index, bytes.getInt(value));
      case FLOAT -> new Constant.Numeric(index, bytes.getFloat(value));
      case LONG -> new Constant.Numeric(index, bytes.getLong(value));
      case DOUBLE -> new Constant.Numeric(index, bytes.getDouble(value));
      case CLASS -> new Constant.ClassName(index, text(number(value)));
      case STRING -> new Constant.Text(index, text(number(value)));
      case FIELD, METHOD, INTERFACE_METHOD -> member(index);
      case NAME_AND_TYPE -> named(index, (n, type) -> new Constant.NameAndType(index, n, type));
      case METHOD_HANDLE -> handle(index);
      case METHOD_TYPE -> new Constant.Type(index, text(number(value)));
      case DYNAMIC -> dynamic(index, Constant.Dynamic.Kind.CONSTANT);
      case INVOKE_DYNAMIC -> dynamic(index, Constant.Dynamic.Kind.CALL_SITE);
      case MODULE -> new Constant.Named(index, Constant.Named.Kind.MODULE, text(number(value)));
      default -> new Constant.Named(index, Constant.Named.Kind.PACKAGE, text(number(value)));
    };
  }

  private Constant.Member member(int index) {
    int at = tagged(index, FIELD, METHOD, INTERFACE_METHOD);
    Constant.Member.Kind kind = MEMBERS.get(bytes.get(at - 1) - FIELD);
    String owner = className(number(at));
    return named(
        number(at + 2), (name, type) -> new Constant.Member(index, kind, owner, name, type));
  }

  private Constant.Handle handle(int index) {
    int at = tagged(index, METHOD_HANDLE);
    Constant.Handle.Kind kind = HANDLES.get(bytes.get(at) - 1);
    return new Constant.Handle(index, kind, member(number(at + 1)));
  }

  private Constant.Dynamic dynamic(int index, Constant.Dynamic.Kind kind) {
    int at = tags[index] + 1;
    return named(
        number(at + 2), (name, type) -> new Constant.Dynamic(index, kind, number(at), name, type));
  }

  private <T> T named(int index, BiFunction<String, String, T> make) {
    int at = tagged(index, NAME_AND_TYPE);
    return make.apply(text(number(at)), text(number(at + 2)));
  }

  /** The name of the class with an index. */
  String className(int index) {
    return text(number(tagged(index, CLASS)));
  }

  /** The text with an index. */
  String text(int index) {
    int at = tagged(index, UTF8);
    byte[] text = new byte[number(at) + 2];
    bytes.get(at, text);
    try {
      return new DataInputStream(new ByteArrayInputStream(text)).readUTF();
    } catch (IOException e) {
      throw new IllegalArgumentException("The constant #" + index + " is no text", e);
    }
  }

  private int number(int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  /** Where the value of a constant stands that has one of some tags. */
  private int tagged(int index, int... allowed) {
    int at = index < tags.length ? tags[index] : 0;
    int tag = at > 0 ? bytes.get(at) : 0;
    if (IntStream.of(allowed).noneMatch(one -> one == tag)) {
      throw new IllegalArgumentException(
          "The constant #%d has the tag %d and none of %s"
              .formatted(index, tag, Arrays.toString(allowed)));
    }
    return at + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConstantPool that && bytes.equals(that.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /**
   * A line for each constant, like {@code javap -v}.
   *
   * @return the lines, for example {@code "#7 = METHOD java/util/List.size()I"}
   */
  @Override
  public String toString() {
    return constants().stream()
        .map(constant -> "#" + constant.index() + " = " + constant)
        .collect(Collectors.joining("\n"));
  }
}
