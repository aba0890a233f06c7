package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MethodIds;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in code, named as people name it: it need not be loaded yet, and stands for the same in
 * every class loader that has such a class.
 */
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public final class CodePlace {

  /** {@code return} of a method without a result. */
  private static final byte RETURN = (byte) 0xb1;

  private static final int ABSTRACT = 0x400;

  /** There is none before there are methods. */
  private static final class Ids {
    static final Maker<JvmMethod, Long> MAKER = Makers.of(MethodIds.class);
  }

  /** What is looked for in a method. */
  private enum Kind {
    LINE,
    ENTRY,
    CREATION,
    CREATION_IN
  }

  private final Kind kind;

  /** The name of a class, or of a package. */
  private final String classes;

  private final @Nullable String method;
  private final int line;

  private CodePlace(Kind kind, String classes, @Nullable String method, int line) {
    this.kind = kind;
    this.classes = requireNonNull(classes, "className");
    this.method = method;
    this.line = line;
  }

  /**
   * A line of a class's source: in each method that has code of it, where the first of that begins.
   * Methods of classes that are nested in it count, and so do the bodies of lambdas. A line in a
   * {@code finally} has code for each way into it, of which only the first is the place: mostly the
   * one without an exception.
   *
   * @param className the name of the class, as {@link Class#getName()} has it
   * @param line which line, from 1 on
   * @return the place; where a line has no code nobody ever comes by
   * @throws IllegalArgumentException if the line is not positive
   */
  public static CodePlace line(String className, int line) {
    if (line <= 0) {
      throw new IllegalArgumentException("line must be positive: " + line);
    }
    return new CodePlace(Kind.LINE, className, null, line);
  }

  /**
   * Where methods begin that a class declares.
   *
   * @param className the name of the class, as {@link Class#getName()} has it
   * @param method the name of the methods, of which there may be several; {@code "<init>"} for
   *     constructors
   * @return the place; a native or abstract method has none
   */
  public static CodePlace entry(String className, String method) {
    return new CodePlace(Kind.ENTRY, className, requireNonNull(method, "method"), 0);
  }

  /**
   * Where throwables of a class, or of one that extends it, are made: at the end of its
   * constructors, so that the message and cause that these hand on are there; what a class that
   * extends it, or who makes it, sets later is not. What is not made anew does not come by: what is
   * thrown once more, a {@link StackOverflowError} and an {@link OutOfMemoryError} of the JVM's
   * own, and what hot code throws of the JVM's own without a stack, unless {@code
   * -XX:-OmitStackTraceInFastThrow} is given.
   *
   * @param type a class of throwables; only its name is kept
   * @return the place
   */
  public static CodePlace creation(Class<? extends Throwable> type) {
    return new CodePlace(Kind.CREATION, requireNonNull(type, "type").getName(), null, 0);
  }

  /**
   * The same for all classes of throwables in a package, and in those below it.
   *
   * @param packageName the name of the package, for example {@code "com.acme"}
   * @return the place
   * @throws IllegalArgumentException if that is no name, such as {@code "com.acme.*"}
   */
  public static CodePlace creationIn(String packageName) {
    requireNonNull(packageName, "packageName");
    if (packageName.endsWith(".") || packageName.endsWith("*")) {
      throw new IllegalArgumentException("packageName is that of none: " + packageName);
    }
    return new CodePlace(Kind.CREATION_IN, packageName, null, 0);
  }

  /** The names of classes to ask the JVM about. */
  String[] patterns() {
    return switch (kind) {
      case LINE -> new String[] {classes, classes + "$*"};
      case CREATION_IN -> new String[] {classes + ".*"};
      case ENTRY, CREATION -> new String[] {classes};
    };
  }

  /** Whether there may be such a place in a class. */
  boolean mayBeIn(Class<?> type) {
    return isNamed(type.getName()) && (!isOfCreation() || Throwable.class.isAssignableFrom(type));
  }

  private boolean isNamed(String name) {
    return switch (kind) {
      case LINE -> name.equals(classes) || name.startsWith(classes + "$");
      case CREATION_IN -> name.startsWith(classes + ".");
      case ENTRY, CREATION -> name.equals(classes);
    };
  }

  /**
   * Whether it is where throwables are made.
   *
   * @return whether it is of {@link #creation} or {@link #creationIn}
   */
  public boolean isOfCreation() {
    return kind == Kind.CREATION || kind == Kind.CREATION_IN;
  }

  /** Where in a method it may be; not all of that need be the beginning of an instruction. */
  List<Long> locations(Class<?> type, JvmMethod found) {
    if (found.isNative() || (found.modifiers() & ABSTRACT) != 0) {
      return List.of();
    }
    return switch (kind) {
      case LINE -> ofLine(type, found);
      case ENTRY -> found.name().equals(method) ? List.of(0L) : List.of();
      case CREATION, CREATION_IN -> found.isConstructor() ? ofReturns(type, found) : List.of();
    };
  }

  private List<Long> ofLine(Class<?> type, JvmMethod found) {
    long env = GeneralNatives.metadata();
    int[] pairs = MethodNatives.getLineNumberTable(env, type, Ids.MAKER.make(found));
    long first = Long.MAX_VALUE;
    for (int i = 0; pairs != null && i < pairs.length; i += 2) {
      if (pairs[i + 1] == line) {
        first = Math.min(first, pairs[i]);
      }
    }
    return first == Long.MAX_VALUE ? List.of() : List.of(first);
  }

  private static List<Long> ofReturns(Class<?> type, JvmMethod found) {
    byte[] code =
        MethodNatives.getBytecodes(GeneralNatives.metadata(), type, Ids.MAKER.make(found));
    List<Long> all = new ArrayList<>();
    for (int i = 0; code != null && i < code.length; i++) {
      if (code[i] == RETURN) {
        all.add((long) i);
      }
    }
    return all;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CodePlace that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /**
   * The place as a text.
   *
   * @return for example {@code "com.acme.Cart:42"}, {@code "com.acme.Cart.total"} or {@code "new
   *     java.lang.IllegalStateException"}
   */
  @Override
  public String toString() {
    return switch (kind) {
      case LINE -> classes + ":" + line;
      case ENTRY -> classes + "." + method;
      case CREATION -> "new " + classes;
      case CREATION_IN -> "new " + classes + ".*";
    };
  }
}
