package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiException;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.Descriptors;
import io.jvmtools.internal.code.EventMethods;
import io.jvmtools.internal.code.LineTable;
import io.jvmtools.internal.code.MethodFacts;
import io.jvmtools.internal.code.MethodIds;
import io.jvmtools.internal.code.ObsoleteMethods;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.failure.Failures;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.stack.StackFrame;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A method, constructor or static initialiser of the running program.
 *
 * <p>A value of its own: it knows its names and its line numbers, needs no environment and keeps no
 * class alive. Once its class has been unloaded the names stay, and {@link #declaringClass()} is
 * empty. Two values are equal if they stand for the same method of the same class.
 */
public final class JvmMethod {

  static {
    Makers.register(
        JvmMethod.class,
        new Maker<long[], JvmMethod[]>() {
          @Override
          public JvmMethod[] make(long[] ids) {
            return KnownMethods.of(ids);
          }
        });
    Makers.register(
        EventMethods.class,
        new Maker<Long, JvmMethod>() {
          @Override
          public JvmMethod make(Long id) {
            return KnownMethods.ofEvent(id);
          }
        });
    Makers.register(
        MethodIds.class,
        new Maker<JvmMethod, Long>() {
          @Override
          public Long make(JvmMethod method) {
            return method.id;
          }
        });
  }

  private static final String CONSTRUCTOR = "<init>";
  private static final String UNLOADED = "<unloaded>";
  private static final String UNKNOWN = "<unknown>";

  private final long id;
  private final WeakReference<Class<?>> declaringClass;
  private final String className;
  private final String name;
  private final String signature;
  private final @Nullable String generic;
  private final int modifiers;
  private final boolean isNative;
  private final boolean mayBeFreed;
  private final @Nullable String sourceFile;
  private final LineTable lines;
  private final ClassOrigin origin;
  private volatile boolean outdated;

  JvmMethod(MethodFacts facts) {
    this.id = facts.id();
    this.declaringClass = new WeakReference<>(facts.declaringClass());
    this.className = facts.declaringClass().getName();
    this.name = facts.name();
    this.signature = facts.signature();
    this.generic = facts.generic();
    this.modifiers = facts.modifiers();
    this.isNative = facts.isNative();
    this.mayBeFreed = facts.isObsolete() && ObsoleteMethods.DANGLE;
    this.sourceFile = facts.sourceFile();
    this.lines = LineTable.of(facts.lines());
    this.origin = ClassOrigin.of(facts.declaringClass());
  }

  private JvmMethod(long id) {
    this.id = id;
    this.declaringClass = new WeakReference<>(null);
    this.className = UNLOADED;
    this.name = UNKNOWN;
    this.signature = "";
    this.generic = null;
    this.modifiers = 0;
    this.isNative = false;
    this.mayBeFreed = false;
    this.sourceFile = null;
    this.lines = LineTable.of(new int[0]);
    this.origin = ClassOrigin.NONE;
  }

  /**
   * The method or constructor that reflection knows. Does not initialise its class.
   *
   * @param executable any method or constructor
   * @return the same method, in its newest version if its class has been redefined
   * @throws IllegalArgumentException if the class does not have it any more
   * @throws LibraryLoadException if the native library cannot be loaded
   */
  public static JvmMethod of(Executable executable) {
    requireNonNull(executable, "executable");
    NativeLibrary.load();
    Class<?> type = executable.getDeclaringClass();
    long[] ids = ClassNatives.getClassMethods(GeneralNatives.metadata(), type);
    return Arrays.stream(KnownMethods.of(type, ids))
        .filter(candidate -> candidate.is(executable))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("The JVM knows no " + executable));
  }

  /** A method whose class was unloaded before anybody asked for its name. */
  static JvmMethod unloaded(long id) {
    return new JvmMethod(id);
  }

  /** What the JVM calls it, as long as its class is loaded. */
  long id() {
    return id;
  }

  /** The class, held for who asks the JVM about the method. */
  Class<?> holder(String function) throws JvmtiException {
    Class<?> type = declaringClass.get();
    if (type == null || mayBeFreed) {
      throw Failures.methodUnavailable(function);
    }
    return type;
  }

  boolean isLoaded() {
    return !declaringClass.refersTo(null);
  }

  /** Whether another one that is asked for now would be the same. */
  boolean isCurrent() {
    return isLoaded() && !outdated;
  }

  boolean isOf(Set<Class<?>> types) {
    Class<?> type = declaringClass.get();
    return type != null && types.contains(type);
  }

  /** Its class has been redefined. Frames that have it keep the lines of its code of then. */
  void outdate() {
    outdated = true;
  }

  /**
   * The class that declares the method.
   *
   * @return the class, empty once it has been unloaded
   */
  public Optional<Class<?>> declaringClass() {
    return Optional.ofNullable(declaringClass.get());
  }

  /**
   * The name of the class that declares the method, as {@link Class#getName()} has it.
   *
   * @return the binary name; {@code "<unloaded>"} if the class had been unloaded before its name
   *     was read
   */
  public String className() {
    return className;
  }

  /**
   * The name of the method.
   *
   * @return the name, {@code "<init>"} for a constructor, {@code "<clinit>"} for a static
   *     initialiser; {@code "<unknown>"} if the class had been unloaded before the name was read
   */
  public String name() {
    return name;
  }

  /**
   * The descriptor of the method, as the class file has it.
   *
   * @return for example {@code "(ILjava/lang/String;)V"}; empty if the class had been unloaded
   *     before it was read
   */
  public String signature() {
    return signature;
  }

  /**
   * The signature of the method with its type parameters and arguments, as the class file has it.
   *
   * @return for example {@code "<T:Ljava/lang/Object;>(TT;)V"}; empty if there are none
   */
  public Optional<String> genericSignature() {
    return Optional.ofNullable(generic);
  }

  /**
   * The access flags of the method.
   *
   * @return the flags, which {@link Modifier} explains
   */
  public int modifiers() {
    return modifiers;
  }

  /**
   * Whether the method is native.
   *
   * @return whether it has no bytecodes because native code implements it
   */
  public boolean isNative() {
    return isNative;
  }

  /**
   * Whether the method is static.
   *
   * @return whether it has no {@code this}
   */
  public boolean isStatic() {
    return Modifier.isStatic(modifiers);
  }

  /**
   * Whether the method is a constructor.
   *
   * @return whether its name is {@code "<init>"}
   */
  public boolean isConstructor() {
    return name.equals(CONSTRUCTOR);
  }

  /**
   * The module of the class that declares the method.
   *
   * @return its name, empty for an unnamed module
   */
  public Optional<String> module() {
    return Optional.ofNullable(origin.module());
  }

  /**
   * The source file of the class that declares the method.
   *
   * @return its simple name, for example {@code "Cart.java"}; empty if the class does not say
   */
  public Optional<String> sourceFile() {
    return Optional.ofNullable(sourceFile);
  }

  /**
   * The source line of a location.
   *
   * @param location a bytecode index, for example {@link StackFrame#location()}
   * @return the line; empty in a native method, and where the class was compiled without lines
   */
  public OptionalInt lineNumber(long location) {
    return lines.line(location);
  }

  /**
   * The same method in the terms of {@code java.lang.reflect}.
   *
   * @return a {@link java.lang.reflect.Method} or {@link java.lang.reflect.Constructor}; empty for
   *     a static initialiser, for a method that reflection hides, and once the class has been
   *     unloaded
   * @throws LinkageError if a type in a signature of the declaring class cannot be loaded
   */
  public Optional<Executable> toReflected() {
    Class<?> declaring = declaringClass.get();
    if (declaring == null) {
      return Optional.empty();
    }
    Stream<? extends Executable> candidates =
        isConstructor()
            ? Arrays.stream(declaring.getDeclaredConstructors())
            : Arrays.stream(declaring.getDeclaredMethods());
    return candidates.filter(this::is).map(Executable.class::cast).findFirst();
  }

  private boolean is(Executable executable) {
    String called = executable instanceof Constructor ? CONSTRUCTOR : executable.getName();
    return called.equals(name) && descriptor(executable).equals(signature);
  }

  /**
   * The line that a stack trace prints for a place in this method.
   *
   * @param location the index of a bytecode, as in {@link #lineNumber}
   * @return the element, as {@link Throwable#getStackTrace()} has it
   */
  public StackTraceElement toStackTraceElement(long location) {
    int line = isNative ? -2 : lineNumber(location).orElse(-1);
    return new StackTraceElement(
        origin.loader(),
        origin.module(),
        origin.moduleVersion(),
        className,
        name,
        sourceFile,
        line);
  }

  private static String descriptor(Executable executable) {
    Class<?> result =
        executable instanceof java.lang.reflect.Method m ? m.getReturnType() : void.class;
    return MethodType.methodType(result, executable.getParameterTypes()).descriptorString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JvmMethod that
        && id == that.id
        && className.equals(that.className)
        && name.equals(that.name)
        && signature.equals(that.signature);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id) * 31 + name.hashCode();
  }

  /**
   * Class, name and parameter types.
   *
   * @return for example {@code "com.acme.Cart.add(com.acme.Item, int)"}
   */
  @Override
  public String toString() {
    return className + "." + name + Descriptors.parameters(signature);
  }
}
