package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.RedefinitionException;
import io.jvmtools.StalledException;
import io.jvmtools.TransformationException;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.ClassSignatureFacts;
import io.jvmtools.internal.code.ClassVersionFacts;
import io.jvmtools.internal.environment.Environment;
import java.lang.instrument.ClassFileTransformer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Classes: what their class files say of them, what the JVM has made of that, and other files. */
public final class Classes {

  static {
    Makers.register(
        Classes.class,
        new Maker<Environment, Classes>() {
          @Override
          public Classes make(Environment environment) {
            return new Classes(environment);
          }
        });
  }

  private final Environment environment;

  Classes(Environment environment) {
    this.environment = environment;
  }

  /**
   * The interfaces that a class itself says it implements, or an interface that it extends: not
   * those that it inherits. Needs no capability.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in the order of the declaration; empty for primitive types and for
   *     arrays, of which {@link Class#getInterfaces()} tells two
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetImplementedInterfaces")
  public List<Class<?>> implementedInterfaces(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(
        List.of(ClassNatives.getImplementedInterfaces(environment.handle(), type)));
  }

  /**
   * Which lines of other sources the lines of a class come from, as the compiler of another
   * language has written it, for example that of Kotlin or of JSP. Needs {@link
   * Capability#CAN_GET_SOURCE_DEBUG_EXTENSION}.
   *
   * @param type any class
   * @return the text of the attribute, which begins with {@code "SMAP"} where it is one of JSR 45;
   *     empty if the class file has none, and for arrays and primitive types
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetSourceDebugExtension")
  public Optional<String> sourceDebugExtension(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(
        Optional.ofNullable(ClassNatives.getSourceDebugExtension(environment.handle(), type)));
  }

  /**
   * How the JVM writes the name of a class, and its generic signature. Needs no capability.
   *
   * @param type any class
   * @return the signatures
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassSignature")
  public ClassSignature signature(Class<?> type) {
    requireNonNull(type, "type");
    ClassSignatureFacts facts =
        (ClassSignatureFacts) ClassNatives.getClassSignature(environment.handle(), type);
    return environment.keep(
        new ClassSignature(facts.signature(), Optional.ofNullable(facts.generic())));
  }

  /**
   * How far a class has come on its way to being used: linked, initialised, or in error. Asking
   * does not bring it further. Needs no capability.
   *
   * @param type any class
   * @return its status at this moment; of arrays and primitive types only that they are such
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassStatus")
  public ClassStatus status(Class<?> type) {
    requireNonNull(type, "type");
    return ClassStatus.of(
        environment.keep(ClassNatives.getClassStatus(environment.handle(), type)));
  }

  /**
   * The file that a class was compiled from. Needs {@link Capability#CAN_GET_SOURCE_FILE_NAME}.
   *
   * @param type any class
   * @return its name without directories, for example {@code "Cart.java"}; empty if the class file
   *     does not say, and for arrays and primitive types
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetSourceFileName")
  public Optional<String> sourceFileName(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(
        Optional.ofNullable(ClassNatives.getSourceFileName(environment.handle(), type)));
  }

  /**
   * The access flags of a class. Needs no capability.
   *
   * @param type any class
   * @return the flags, which {@link java.lang.reflect.Modifier} explains, as {@link
   *     Class#getModifiers()} has them, and one that means nothing any more: {@code ACC_SUPER}, the
   *     bit of {@link java.lang.reflect.Modifier#SYNCHRONIZED}, of classes, and on JDK 25 of
   *     interfaces and arrays, too
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassModifiers")
  public int modifiers(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(ClassNatives.getClassModifiers(environment.handle(), type));
  }

  /**
   * Whether a class is an interface, or an annotation. Needs no capability.
   *
   * @param type any class
   * @return whether it is one
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsInterface")
  public boolean isInterface(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(ClassNatives.isInterface(environment.handle(), type));
  }

  /**
   * Whether a class is an array. Needs no capability.
   *
   * @param type any class
   * @return whether it is one
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsArrayClass")
  public boolean isArray(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(ClassNatives.isArrayClass(environment.handle(), type));
  }

  /**
   * The loader that has defined a class; of an array that of its elements. Asks no security
   * manager. Needs no capability.
   *
   * @param type any class
   * @return the loader; empty for the bootstrap loader, which has defined the primitive types, too
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassLoader")
  public Optional<ClassLoader> loader(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(
        Optional.ofNullable(ClassNatives.getClassLoader(environment.handle(), type)));
  }

  /**
   * The version of the class file of a class: which Java it was compiled for. Needs no capability.
   *
   * @param type any class
   * @return the version; empty for arrays and primitive types, which have no class file
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassVersionNumbers")
  public Optional<ClassVersion> version(Class<?> type) {
    requireNonNull(type, "type");
    ClassVersionFacts facts =
        (ClassVersionFacts) ClassNatives.getClassVersionNumbers(environment.handle(), type);
    return environment.keep(
        Optional.ofNullable(facts).map(f -> new ClassVersion(f.major(), f.minor())));
  }

  /**
   * All classes that are loaded at this moment, arrays and hidden ones among them; no primitive
   * types. Needs no capability.
   *
   * @return an unmodifiable list in no order, which keeps them and their loaders alive: thousands
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLoadedClasses")
  public List<Class<?>> loaded() {
    return environment.keep(List.of(ClassNatives.getLoadedClasses(environment.handle())));
  }

  /**
   * Whether a class can be redefined or retransformed, by an agent that holds the capability for
   * that. Needs no capability.
   *
   * @param type any class
   * @return never true for primitive types, arrays and hidden classes, such as those of lambdas,
   *     nor for a few classes of the JVM's own
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsModifiableClass")
  public boolean isModifiable(Class<?> type) {
    requireNonNull(type, "type");
    return environment.keep(ClassNatives.isModifiableClass(environment.handle(), type));
  }

  /**
   * The classes that a class loader stands for: those that it has defined itself, and those that
   * the JVM has asked it for and that another loader has defined; and what arrays of these there
   * are. Needs no capability.
   *
   * <p>What only its method {@link ClassLoader#loadClass(String)} has answered, without the JVM, is
   * not among them, and neither are hidden classes.
   *
   * @param loader any class loader
   * @return an unmodifiable list in no particular order; arrays of primitive types are in each
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassLoaderClasses")
  public List<Class<?>> initiatedBy(ClassLoader loader) {
    requireNonNull(loader, "loader");
    return environment.keep(
        List.of(ClassNatives.getClassLoaderClasses(environment.handle(), loader)));
  }

  /**
   * The classes of the bootstrap loader, for which Java has no object. Needs no capability.
   *
   * @return an unmodifiable list in no particular order, of hundreds at least; hidden classes are
   *     not among them
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassLoaderClasses")
  public List<Class<?>> initiatedByBootstrapLoader() {
    return environment.keep(
        List.of(ClassNatives.getClassLoaderClasses(environment.handle(), null)));
  }

  /**
   * The methods that a class itself declares, with its constructors and its static initialiser; not
   * those that it inherits. Needs no capability.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in no particular order, unless some environment has obtained
   *     {@link Capability#CAN_MAINTAIN_ORIGINAL_METHOD_ORDER}; empty for primitive types and arrays
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassMethods")
  public List<JvmMethod> methods(Class<?> type) {
    requireNonNull(type, "type");
    long[] ids = ClassNatives.getClassMethods(environment.handle(), type);
    return environment.keep(List.of(KnownMethods.of(type, ids)));
  }

  /**
   * The fields that a class itself declares; not those that it inherits. Needs no capability.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in the order of the class file; empty for primitive types and
   *     arrays
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetClassFields")
  public List<JvmField> fields(Class<?> type) {
    requireNonNull(type, "type");
    long[] ids = ClassNatives.getClassFields(environment.handle(), type);
    return environment.keep(List.of(JvmField.of(type, ids)));
  }

  /**
   * The constants of a class, with the texts that they refer to. Needs {@link
   * Capability#CAN_GET_CONSTANT_POOL}.
   *
   * @param type any class
   * @return its constant pool as the class file has it, and behind that what the JVM has added for
   *     methods of its own, or what other class files had with which the class was redefined; empty
   *     for arrays and primitive types
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetConstantPool")
  public Optional<ConstantPool> constantPool(Class<?> type) {
    requireNonNull(type, "type");
    byte[] pool = ClassNatives.getConstantPool(environment.handle(), type);
    return environment.keep(Optional.ofNullable(pool)).map(ConstantPool::of);
  }

  /**
   * Replaces the class file of a class: its methods do something else from their next call on. The
   * same as {@link #redefine(Map)} of one class.
   *
   * @param type a class that is modifiable
   * @param bytes its new class file
   * @throws RedefinitionException if the JVM refuses the class file, with what it objects to
   * @throws MissingCapabilityException if the environment does not hold the capability {@link
   *     Capability#CAN_REDEFINE_CLASSES}
   * @throws StalledException if another thread, which may be suspended, keeps on changing the class
   * @throws JvmtiException with the code 113 if the class cannot be linked, or has too many
   *     constants by now
   * @throws IllegalStateException if a thread that stands still is to call a method of one of the
   *     classes again, or if the environment is closed
   */
  @JvmtiFunction("RedefineClasses")
  public void redefine(Class<?> type, byte[] bytes) {
    requireNonNull(type, "type");
    requireNonNull(bytes, "bytes");
    redefine(Map.of(type, bytes));
  }

  /**
   * Replaces the class files of classes, of all of them or of none. Needs {@link
   * Capability#CAN_REDEFINE_CLASSES}.
   *
   * <p>Methods do what the new file says from their next call on; who is inside one goes on with
   * what it was, and a stack tells that as an obsolete method ({@link Methods#isObsolete}).
   * Objects, static fields and {@link JvmMethod}s stay what they are, and nothing is initialised
   * again; {@link Breakpoints} are set again where an instruction of the new code begins. A new
   * file may do other things in its methods; it has the same fields and methods, the same
   * superclass and interfaces. Other agents may change it on its way ({@code
   * ClassFileTransformer}).
   *
   * <p>Of a class of the bootstrap loader the JVM verifies no bytecode before JDK 25, unless it was
   * started with {@code -XX:+BytecodeVerificationLocal}: if a new one is not right, the JVM crashes
   * when it runs. So it does with what a listener or a transformer answers about such a class.
   *
   * <p>The JVM stands still while it exchanges the classes, and compiles anew what it had compiled
   * of them; after the first change of any class, all that it had compiled. While it reads the
   * files it may ask the classes' loaders for others, on the calling thread. Whoever changes one of
   * the classes meanwhile waits: a thread that is suspended in the middle keeps others from it
   * until it is resumed.
   *
   * @param classDefinitions each class with its new class file; nothing happens if there are none
   * @throws RedefinitionException if the JVM refuses a class file, with what it objects to
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if another thread, which may be suspended, keeps on changing one of
   *     the classes, if one that runs does not come to the method that it is to call again ({@code
   *     Frames.pop}), or if the thread of the library that prepares it does not answer
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @throws IllegalStateException if a thread that stands still is to call a method of one of the
   *     classes again, or if the environment is closed
   */
  @JvmtiFunction("RedefineClasses")
  public void redefine(Map<Class<?>, byte[]> classDefinitions) {
    requireNonNull(classDefinitions, "classDefinitions");
    Map<Class<?>, byte[]> definitions = new LinkedHashMap<>(classDefinitions);
    JoinedBytes files = new JoinedBytes();
    definitions.forEach(
        (type, bytes) -> {
          requireNonNull(type, "classDefinitions");
          files.add(requireNonNull(bytes, () -> "classDefinitions[" + type.getTypeName() + "]"));
        });
    Class<?>[] types = definitions.keySet().toArray(new Class<?>[0]);
    try {
      ClassNatives.redefineClasses(environment.handle(), types, files.bytes(), files.lengths());
    } catch (RedefinitionException refusal) {
      throw new Objections(this).explain(refusal, definitions);
    }
    KnownMethods.areOutdated(definitions.keySet());
    environment.keep();
  }

  /**
   * Makes classes anew of what they were loaded from, or redefined with: agents with a {@code
   * ClassFileTransformer} for that are asked again what they make of it, and what was made of them
   * by {@link #retransform(ClassFileTransformer, Class...)} is undone. All of them are, or none;
   * for the rest as {@link #redefine(Map)}. Needs {@link Capability#CAN_RETRANSFORM_CLASSES}.
   *
   * <p>A JVM of JDK 17 makes a class that was ever made anew of what it was loaded from, also when
   * it has been redefined since: redefine it again then. One of JDK 21 does not.
   *
   * @param types classes that are modifiable; nothing happens if there are none
   * @throws RedefinitionException if the JVM refuses what agents make of a class
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if another thread, which may be suspended, keeps on changing one of
   *     the classes, if one that runs does not come to the method that it is to call again ({@code
   *     Frames.pop}), or if the thread of the library that prepares it does not answer
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @throws IllegalStateException if a thread that stands still is to call a method of one of the
   *     classes again, or if the environment is closed
   */
  @JvmtiFunction("RetransformClasses")
  public void retransform(Class<?>... types) {
    Map<Class<?>, byte[]> distinct = distinct(types);
    Class<?>[] each = distinct.keySet().toArray(new Class<?>[0]);
    try {
      ClassNatives.retransformClasses(environment.handle(), each);
    } catch (RedefinitionException refusal) {
      throw new Objections(this).explain(refusal, distinct);
    }
    KnownMethods.areOutdated(distinct.keySet());
    environment.keep();
  }

  /**
   * Has a transformer change classes once: it is asked about each of these classes, and about no
   * other, with what other agents make of what the class was loaded from. What it answers is what
   * the class does from now on, until somebody makes it anew again ({@link
   * #retransform(Class...)}). Needs {@link Capability#CAN_RETRANSFORM_CLASSES}.
   *
   * <p>The transformer runs on the calling thread while the JVM does nothing to the classes: it may
   * load classes, wait, or change classes itself. So the JVM is asked twice, and other agents are,
   * too; if they have made something else of a class meanwhile, the transformer is asked again.
   *
   * @param transformer answers a new class file, or {@code null} for a class that is to stay as it
   *     is
   * @param types classes that are modifiable; nothing happens if there are none
   * @return those that were changed: all of which the transformer has answered a class file, an
   *     unmodifiable list
   * @throws TransformationException if the transformer throws; the classes stay as they were
   * @throws RedefinitionException if the JVM refuses a class file; the classes stay as they were
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if another thread, which may be suspended, keeps on changing one of
   *     the classes, if one that runs does not come to the method that it is to call again ({@code
   *     Frames.pop}), or if the thread of the library that prepares it does not answer
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @throws IllegalStateException if a thread that stands still is to call a method of one of the
   *     classes again, if the environment is closed, or if somebody else, an agent or another
   *     thread, makes something else of a class each time
   */
  @JvmtiFunction("RetransformClasses")
  public List<Class<?>> retransform(ClassFileTransformer transformer, Class<?>... types) {
    requireNonNull(transformer, "transformer");
    Class<?>[] each = distinct(types).keySet().toArray(new Class<?>[0]);
    return new Retransformation(environment, transformer).of(this, each);
  }

  /** Each once, with a class file that is not known. */
  private static Map<Class<?>, byte[]> distinct(Class<?>... types) {
    Map<Class<?>, byte[]> distinct = new LinkedHashMap<>();
    for (Class<?> type : Lists.requireNoneNull(requireNonNull(types, "types"), "types")) {
      distinct.put(type, new byte[0]);
    }
    return distinct;
  }
}
