package io.jvmtools.code;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableMap;

import io.jvmtools.JvmtiException;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.EventFields;
import io.jvmtools.internal.code.FieldFacts;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.RecentMembers;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.failure.Failures;
import io.jvmtools.internal.loading.NativeLibrary;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A field of a class of the running program, static or not.
 *
 * <p>A value of its own: it knows its names, needs no environment and keeps no class alive. Once
 * its class has been unloaded the names stay, and {@link #declaringClass()} is empty. Two values
 * are equal if they stand for the same field of the same class.
 */
public final class JvmField {

  static {
    Makers.register(
        JvmField.class,
        new Maker<EventFields, JvmField>() {
          @Override
          public JvmField make(EventFields field) {
            return ofEvent(field.type(), field.id());
          }
        });
  }

  /** A class keeps the fields that it has. */
  private static final RecentMembers<JvmField> RECENT = new RecentMembers<>(JvmField::listed);

  private final long id;
  private final WeakReference<Class<?>> declaringClass;

  /** Of the class: it stays when that is gone. */
  private final int identity;

  private final String className;
  private final String name;
  private final String signature;
  private final @Nullable String generic;
  private final int modifiers;

  private JvmField(Class<?> type, WeakReference<Class<?>> weak, long id, FieldFacts facts, int i) {
    this.id = id;
    this.declaringClass = weak;
    this.identity = System.identityHashCode(type);
    this.className = type.getName();
    this.name = facts.names()[i];
    this.signature = facts.signatures()[i];
    this.generic = facts.generics()[i];
    this.modifiers = facts.modifiers()[i];
  }

  /**
   * The field that reflection knows.
   *
   * @param field any field
   * @return the same field
   * @throws IllegalArgumentException if the JVM hides the field from its tools
   * @throws LibraryLoadException if the native library cannot be loaded
   */
  public static JvmField of(Field field) {
    requireNonNull(field, "field");
    NativeLibrary.load();
    Class<?> type = field.getDeclaringClass();
    JvmField known = RECENT.of(type).get(key(field.getName(), field.getType().descriptorString()));
    if (known == null) {
      throw new IllegalArgumentException("The JVM tells nothing of " + field);
    }
    return known;
  }

  private static Map<String, JvmField> listed(Class<?> type) {
    long[] ids = ClassNatives.getClassFields(GeneralNatives.metadata(), type);
    return Arrays.stream(of(type, ids))
        .collect(toUnmodifiableMap(one -> key(one.name, one.signature), one -> one));
  }

  /** The one with this id, of which an event tells. */
  private static JvmField ofEvent(Class<?> type, long id) {
    for (JvmField known : RECENT.of(type).values()) {
      if (known.id == id) {
        return known;
      }
    }
    return of(type, new long[] {id})[0];
  }

  private static String key(String name, String signature) {
    return name + ' ' + signature;
  }

  /** Those with these ids, which the JVM has just told of a class. */
  static JvmField[] of(Class<?> type, long[] ids) {
    var facts = (FieldFacts) FieldNatives.resolve(GeneralNatives.metadata(), type, ids);
    WeakReference<Class<?>> weak = new WeakReference<>(type);
    JvmField[] fields = new JvmField[ids.length];
    for (int i = 0; i < ids.length; i++) {
      fields[i] = new JvmField(type, weak, ids[i], facts, i);
    }
    return fields;
  }

  /** What the JVM calls it; of use only with its class. */
  long id() {
    return id;
  }

  /** The class, held for who asks the JVM about the field. */
  Class<?> holder(String function) throws JvmtiException {
    Class<?> type = declaringClass.get();
    if (type == null) {
      throw Failures.fieldUnavailable(function);
    }
    return type;
  }

  /**
   * The class that declares the field.
   *
   * @return the class, empty once it has been unloaded
   */
  public Optional<Class<?>> declaringClass() {
    return Optional.ofNullable(declaringClass.get());
  }

  /**
   * The name of the class that declares the field, as {@link Class#getName()} has it.
   *
   * @return the binary name
   */
  public String className() {
    return className;
  }

  /**
   * The name of the field.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * The descriptor of the type of the field, as the class file has it.
   *
   * @return for example {@code "I"} or {@code "Ljava/util/List;"}
   */
  public String signature() {
    return signature;
  }

  /**
   * The type of the field with its type arguments, as the class file has it.
   *
   * @return for example {@code "Ljava/util/List<TE;>;"}; empty if there are none
   */
  public Optional<String> genericSignature() {
    return Optional.ofNullable(generic);
  }

  /**
   * The access flags of the field.
   *
   * @return the flags, which {@link Modifier} explains
   */
  public int modifiers() {
    return modifiers;
  }

  /**
   * Whether the field is static.
   *
   * @return whether the class has it, and not each object
   */
  public boolean isStatic() {
    return Modifier.isStatic(modifiers);
  }

  /**
   * The same field in the terms of {@code java.lang.reflect}.
   *
   * @return the field; empty for a field that reflection hides, and once the class has been
   *     unloaded
   * @throws LinkageError if the type of a field of the declaring class cannot be loaded
   */
  public Optional<Field> toReflected() {
    Class<?> type = declaringClass.get();
    if (type == null) {
      return Optional.empty();
    }
    try {
      Field first = type.getDeclaredField(name);
      if (is(first)) {
        return Optional.of(first);
      }
    } catch (NoSuchFieldException hidden) {
      return Optional.empty();
    }
    // Its name is that of several, which only their types tell apart.
    return Arrays.stream(type.getDeclaredFields()).filter(this::is).findFirst();
  }

  private boolean is(Field field) {
    return field.getName().equals(name) && field.getType().descriptorString().equals(signature);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JvmField that
        && id == that.id
        && identity == that.identity
        && className.equals(that.className)
        && name.equals(that.name)
        && signature.equals(that.signature);
  }

  @Override
  public int hashCode() {
    return identity * 31 + name.hashCode();
  }

  /**
   * Class and name.
   *
   * @return for example {@code "com.acme.Cart.items"}
   */
  @Override
  public String toString() {
    return className + "." + name;
  }
}
