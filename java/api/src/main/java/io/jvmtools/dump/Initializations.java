package io.jvmtools.dump;

import io.jvmtools.JvmtiException;
import io.jvmtools.code.ClassStatus;
import io.jvmtools.code.Constant;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.MethodIds;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.code.Opcodes;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which threads wait until another one has initialised a class. For the JVM they run, and it tells
 * nobody: only their frames do, that of the initialiser and the instruction before which a thread
 * stands.
 */
final class Initializations {

  /** What the method is called that initialises a class. */
  static final String INITIALIZER = "<clinit>";

  /** What initialises the class that it names. */
  private static final Set<String> INSTRUCTIONS =
      Set.of("getstatic", "putstatic", "invokestatic", "new");

  /** Natives of the JDK that initialise a class of which no frame tells. */
  private static final Set<String> NATIVES =
      Set.of(
          "java.lang.Class.forName0",
          "jdk.internal.misc.Unsafe.allocateInstance",
          "jdk.internal.misc.Unsafe.ensureClassInitialized0",
          "jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor.newInstance0",
          "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0",
          "jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0",
          "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0");

  private static final Maker<JvmMethod, Long> IDS = Makers.of(MethodIds.class);
  private static final Maker<byte[], ConstantPool> POOLS = Makers.of(ConstantPool.class);

  /**
   * A class that a thread initialises.
   *
   * @param type the class
   * @param row the row of the thread
   */
  record Initialization(Class<?> type, int row) {}

  private final List<Initialization> all = new ArrayList<>();
  private final Map<Optional<ClassLoader>, List<Class<?>>> classes = new HashMap<>();

  /** The thread in a row has these frames. */
  void add(int row, StackTrace stack) {
    for (StackFrame frame : stack) {
      if (frame.methodName().equals(INITIALIZER)) {
        frame.method().declaringClass().ifPresent(type -> all.add(new Initialization(type, row)));
      }
    }
  }

  boolean areAny() {
    return !all.isEmpty();
  }

  /** What a thread that runs waits for, as far as one of the others initialises it. */
  Optional<Initialization> awaitedBy(int row, StackTrace stack) {
    List<Initialization> others = othersThan(row);
    if (others.isEmpty()) {
      return Optional.empty();
    }
    return stack
        .top()
        .flatMap(this::use)
        .flatMap(use -> others.stream().filter(use::needs).findFirst());
  }

  /** Whether a thread that runs may wait for one of the others, though no frame tells. */
  boolean mayBeAwaitedBy(int row, StackTrace stack) {
    return !othersThan(row).isEmpty()
        && stack
            .top()
            .filter(StackFrame::isNative)
            .filter(frame -> NATIVES.contains(frame.className() + '.' + frame.methodName()))
            .isPresent();
  }

  /** Whether a thread that runs stands before what needs a class that is not initialised. */
  boolean needsOne(StackTrace stack) {
    return stack.top().flatMap(this::use).flatMap(Use::type).filter(this::isPending).isPresent();
  }

  private List<Initialization> othersThan(int row) {
    return all.stream().filter(one -> one.row() != row).toList();
  }

  private boolean isPending(Class<?> type) {
    ClassStatus status =
        ClassStatus.of(ClassNatives.getClassStatus(GeneralNatives.metadata(), type));
    return !status.isInitialized() && !status.isInError();
  }

  /** The use of a class before which a frame stands, or in which it is. */
  private Optional<Use> use(StackFrame frame) {
    if (frame.isNative()) {
      return Optional.empty();
    }
    try {
      return frame.method().declaringClass().flatMap(user -> use(user, frame));
    } catch (JvmtiException gone) {
      // The method was replaced.
      return Optional.empty();
    }
  }

  private Optional<Use> use(Class<?> user, StackFrame frame) {
    byte[] code =
        MethodNatives.getBytecodes(GeneralNatives.metadata(), user, IDS.make(frame.method()));
    int at = (int) frame.location();
    if (code == null
        || at < 0
        || at + 2 >= code.length
        || !INSTRUCTIONS.contains(Opcodes.name(Byte.toUnsignedInt(code[at])))) {
      return Optional.empty();
    }
    byte[] pool = ClassNatives.getConstantPool(GeneralNatives.metadata(), user);
    int index = Byte.toUnsignedInt(code[at + 1]) << 8 | Byte.toUnsignedInt(code[at + 2]);
    return Optional.ofNullable(pool)
        .flatMap(bytes -> POOLS.make(bytes).at(index))
        .flatMap(Initializations::named)
        .map(name -> new Use(user, name.replace('/', '.')));
  }

  private static Optional<String> named(Constant constant) {
    if (constant instanceof Constant.Member member) {
      return Optional.of(member.owner());
    }
    return constant instanceof Constant.ClassName type
        ? Optional.of(type.name())
        : Optional.empty();
  }

  /** The classes that a loader knows: it is not asked itself, for it may be locked for good. */
  private List<Class<?>> knownBy(@Nullable ClassLoader loader) {
    return classes.computeIfAbsent(
        Optional.ofNullable(loader),
        none ->
            Arrays.asList(ClassNatives.getClassLoaderClasses(GeneralNatives.metadata(), loader)));
  }

  /** A class, named in the code of another one. */
  private final class Use {

    private final Class<?> user;
    private final String name;

    Use(Class<?> user, String name) {
      this.user = user;
      this.name = name;
    }

    /** Whether it has to wait: for the class itself, or for what that one extends. */
    boolean needs(Initialization other) {
      return type()
          .filter(type -> other.type().isAssignableFrom(type))
          .filter(type -> type == other.type() || isPending(type))
          .isPresent();
    }

    Optional<Class<?>> type() {
      if (user.getName().equals(name)) {
        return Optional.of(user);
      }
      ClassLoader loader = ClassNatives.getClassLoader(GeneralNatives.metadata(), user);
      return knownBy(loader).stream().filter(type -> type.getName().equals(name)).findFirst();
    }
  }
}
