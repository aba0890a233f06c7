package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * How far a class has come on its way to being used: a set of {@link Flag flags}.
 *
 * <p>Values are immutable and compare by their flags. A flag that this library does not know is
 * kept, takes part in {@link #equals} and is printed in hexadecimal.
 */
public final class ClassStatus {

  /** One fact about a class, under the name the specification gives it. */
  public enum Flag {
    /** Its bytecodes have been verified. */
    VERIFIED(0x1, "verified"),
    /** It has been linked: its fields and methods are there. */
    PREPARED(0x2, "prepared"),
    /** Its static initialiser has run. */
    INITIALIZED(0x4, "initialized"),
    /** Its static initialiser has failed: it cannot be used. */
    ERROR(0x8, "in error"),
    /** It is an array. */
    ARRAY(0x10, "an array"),
    /** It is a primitive type, or {@code void}. */
    PRIMITIVE(0x20, "primitive");

    private final int bit;
    private final String words;

    Flag(int bit, String words) {
      this.bit = bit;
      this.words = words;
    }
  }

  private static final Flag[] FLAGS = Flag.values();

  private final int bits;

  private ClassStatus(int bits) {
    this.bits = bits;
  }

  /**
   * The status that a {@code jvmtiClassStatus} bit mask describes.
   *
   * @param bits the mask, as the specification defines it; unknown bits are kept
   * @return the status
   */
  public static ClassStatus of(int bits) {
    return new ClassStatus(bits);
  }

  /**
   * The {@code jvmtiClassStatus} bit mask, for storage and for bits that have no {@link Flag}.
   *
   * @return the mask as the JVM gave it
   */
  public int bits() {
    return bits;
  }

  /**
   * The facts that are true of the class.
   *
   * @return an unmodifiable set, empty for a class that has been loaded and not linked
   */
  public Set<Flag> flags() {
    EnumSet<Flag> set = EnumSet.noneOf(Flag.class);
    for (Flag flag : FLAGS) {
      if (has(flag)) {
        set.add(flag);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  /**
   * Whether a fact is true of the class.
   *
   * @param flag the fact
   * @return whether it is true
   */
  public boolean has(Flag flag) {
    return (bits & requireNonNull(flag, "flag").bit) != 0;
  }

  /**
   * Whether its bytecodes have been verified.
   *
   * @return {@link Flag#VERIFIED}
   */
  public boolean isVerified() {
    return has(Flag.VERIFIED);
  }

  /**
   * Whether it has been linked: what asks for its members wants that.
   *
   * @return {@link Flag#PREPARED}
   */
  public boolean isPrepared() {
    return has(Flag.PREPARED);
  }

  /**
   * Whether its static initialiser has run.
   *
   * @return {@link Flag#INITIALIZED}
   */
  public boolean isInitialized() {
    return has(Flag.INITIALIZED);
  }

  /**
   * Whether its static initialiser has failed.
   *
   * @return {@link Flag#ERROR}
   */
  public boolean isInError() {
    return has(Flag.ERROR);
  }

  /**
   * Whether it is an array.
   *
   * @return {@link Flag#ARRAY}
   */
  public boolean isArray() {
    return has(Flag.ARRAY);
  }

  /**
   * Whether it is a primitive type.
   *
   * @return {@link Flag#PRIMITIVE}
   */
  public boolean isPrimitive() {
    return has(Flag.PRIMITIVE);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClassStatus that && bits == that.bits;
  }

  @Override
  public int hashCode() {
    return bits;
  }

  /**
   * The facts in words, for example {@code "verified, prepared, initialized"}; a class that has
   * been loaded and not linked is {@code "loaded"}.
   *
   * @return the facts, separated by commas
   */
  @Override
  public String toString() {
    StringJoiner words = new StringJoiner(", ").setEmptyValue("loaded");
    int unknown = bits;
    for (Flag flag : FLAGS) {
      if (has(flag)) {
        words.add(flag.words);
        unknown &= ~flag.bit;
      }
    }
    if (unknown != 0) {
      words.add("0x" + Integer.toHexString(unknown));
    }
    return words.toString();
  }
}
