package io.jvmtools.dump;

import io.jvmtools.JvmtiException;
import io.jvmtools.StalledException;
import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.ClassStatus;
import io.jvmtools.code.Constant;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.ClassSignatureFacts;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.MemberNameFacts;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.code.Opcodes;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.stack.StackFrame;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which class the instruction needs to be initialised before which a frame stands. The JVM is asked
 * and never a class loader or reflection: a suspended thread may have what these wait for.
 */
final class ClassUses {

  private static final Set<String> INSTRUCTIONS =
      Set.of("getstatic", "putstatic", "invokestatic", "new");

  private static final int STATIC = 0x8;
  private static final int ABSTRACT = 0x400;

  private static final Maker<JvmMethod, byte[]> CODE = Makers.of(Bytecodes.class);
  private static final Maker<byte[], ConstantPool> POOLS = Makers.of(ConstantPool.class);

  private final Map<StackFrame, Optional<Class<?>>> needed = new HashMap<>();
  private final Map<Class<?>, ConstantPool> pools = new HashMap<>();
  private final Map<Class<?>, Boolean> pending = new HashMap<>();
  private final Map<Class<?>, Boolean> withCode = new HashMap<>();

  /** By identity, for a loader's own equals() may wait; null is the bootstrap loader. */
  private final IdentityHashMap<@Nullable ClassLoader, Map<String, Class<?>>> known =
      new IdentityHashMap<>();

  private boolean incomplete;

  /** Whether some could not be found, because nobody could be asked, or not of their methods. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** The class; none where the frame stands before nothing that needs one. */
  Optional<Class<?>> neededBy(StackFrame frame) {
    return frame.isNative() ? Optional.empty() : needed.computeIfAbsent(frame, this::find);
  }

  /** Whether it is neither initialised nor in error. */
  boolean isPending(Class<?> type) {
    return pending.computeIfAbsent(
        type,
        one -> {
          int bits = ClassNatives.getClassStatus(GeneralNatives.metadata(), one);
          ClassStatus status = ClassStatus.of(bits);
          return !status.isInitialized() && !status.isInError();
        });
  }

  /** Whether an interface is initialised with the classes that implement it. */
  boolean hasCode(Class<?> type) {
    return withCode.computeIfAbsent(type, ClassUses::declaresCode);
  }

  private static boolean declaresCode(Class<?> type) {
    long env = GeneralNatives.metadata();
    try {
      for (long id : ClassNatives.getClassMethods(env, type)) {
        if ((MethodNatives.getMethodModifiers(env, type, id) & (STATIC | ABSTRACT)) == 0) {
          return true;
        }
      }
    } catch (JvmtiException notLinked) {
      // Then nobody initialises it.
    }
    return false;
  }

  /** Whether a frame's method is none of those that the JVM finds by itself. */
  static boolean isOfTheProgram(StackFrame frame) {
    return frame
        .method()
        .declaringClass()
        .map(type -> ClassNatives.getClassLoader(GeneralNatives.metadata(), type))
        .isPresent();
  }

  private Optional<Class<?>> find(StackFrame frame) {
    try {
      return frame.method().declaringClass().flatMap(user -> find(user, frame));
    } catch (JvmtiException replaced) {
      incomplete = true;
      return Optional.empty();
    }
  }

  private Optional<Class<?>> find(Class<?> user, StackFrame frame) {
    byte[] code = CODE.make(frame.method());
    int at = (int) frame.location();
    if (at < 0 || at + 2 >= code.length) {
      return Optional.empty();
    }
    if (!INSTRUCTIONS.contains(Opcodes.name(Byte.toUnsignedInt(code[at])))) {
      return Optional.empty();
    }
    int index = Byte.toUnsignedInt(code[at + 1]) << 8 | Byte.toUnsignedInt(code[at + 2]);
    return poolOf(user).at(index).flatMap(constant -> find(user, constant));
  }

  private ConstantPool poolOf(Class<?> user) {
    return pools.computeIfAbsent(
        user,
        one -> {
          byte[] pool = ClassNatives.getConstantPool(GeneralNatives.metadata(), one);
          return POOLS.make(pool == null ? new byte[] {0, 1} : pool);
        });
  }

  private Optional<Class<?>> find(Class<?> user, Constant constant) {
    if (constant instanceof Constant.ClassName type) {
      return named(user, type.name());
    }
    return constant instanceof Constant.Member member
        ? named(user, member.owner()).map(owner -> declaring(owner, member))
        : Optional.empty();
  }

  /** The class itself if nobody is found: it may not be linked yet, and tells nothing then. */
  private static Class<?> declaring(Class<?> owner, Constant.Member member) {
    Class<?> found =
        switch (member.kind()) {
          case FIELD -> ofField(owner, member);
          case METHOD -> ofMethod(owner, member);
          case INTERFACE_METHOD -> owner;
        };
    return found == null ? owner : found;
  }

  private static @Nullable Class<?> ofField(Class<?> type, Constant.Member field) {
    if (declares(type, field)) {
      return type;
    }
    for (Class<?> above : type.getInterfaces()) {
      Class<?> found = ofField(above, field);
      if (found != null) {
        return found;
      }
    }
    Class<?> above = type.getSuperclass();
    return above == null ? null : ofField(above, field);
  }

  private static @Nullable Class<?> ofMethod(Class<?> type, Constant.Member method) {
    Class<?> one = type;
    while (one != null && !declares(one, method)) {
      one = one.getSuperclass();
    }
    return one;
  }

  private static boolean declares(Class<?> type, Constant.Member member) {
    long env = GeneralNatives.metadata();
    boolean isField = member.kind() == Constant.Member.Kind.FIELD;
    try {
      long[] ids =
          isField
              ? ClassNatives.getClassFields(env, type)
              : ClassNatives.getClassMethods(env, type);
      for (long id : ids) {
        var facts =
            (MemberNameFacts)
                (isField
                    ? FieldNatives.getFieldName(env, type, id)
                    : MethodNatives.getMethodName(env, type, id));
        if (facts.name().equals(member.name()) && facts.signature().equals(member.signature())) {
          return true;
        }
      }
    } catch (JvmtiException notLinked) {
      // It tells nothing.
    }
    return false;
  }

  private Optional<Class<?>> named(Class<?> user, String internal) {
    if (internal.equals(internal(user))) {
      return Optional.of(user);
    }
    ClassLoader loader = ClassNatives.getClassLoader(GeneralNatives.metadata(), user);
    return Optional.ofNullable(knownBy(loader).get(internal));
  }

  /** The classes that a loader has found, by name. */
  private Map<String, Class<?>> knownBy(@Nullable ClassLoader loader) {
    Map<String, Class<?>> classes = known.get(loader);
    if (classes == null) {
      classes = list(loader);
      known.put(loader, classes);
    }
    return classes;
  }

  private Map<String, Class<?>> list(@Nullable ClassLoader loader) {
    Map<String, Class<?>> classes = new HashMap<>();
    if (incomplete) {
      return classes;
    }
    try {
      for (Class<?> type : ClassNatives.getClassLoaderClasses(GeneralNatives.metadata(), loader)) {
        classes.put(internal(type), type);
      }
    } catch (StalledException suspended) {
      incomplete = true;
    }
    return classes;
  }

  /** As the JVM says it: a class keeps for good what {@link Class#getName()} has answered. */
  private static String internal(Class<?> type) {
    var facts =
        (ClassSignatureFacts) ClassNatives.getClassSignature(GeneralNatives.metadata(), type);
    String signature = facts.signature();
    return signature.startsWith("L") ? signature.substring(1, signature.length() - 1) : signature;
  }
}
