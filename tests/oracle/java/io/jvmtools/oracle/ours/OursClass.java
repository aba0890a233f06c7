package io.jvmtools.oracle.ours;

import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.JvmField;
import io.jvmtools.oracle.asked.ClassFunctions;
import io.jvmtools.oracle.asked.Names;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The stem {@code class} through the public API. */
interface OursClass extends ClassFunctions, OurEnvironment {

  @Override
  default String getImplementedInterfaces(Class<?> type) {
    return Names.inOrder(jvmti().classes().implementedInterfaces(type));
  }

  @Override
  default String getSourceDebugExtension(Class<?> type) {
    return jvmti().classes().sourceDebugExtension(type).orElse("ABSENT_INFORMATION");
  }

  @Override
  default String getClassSignature(Class<?> type) {
    return jvmti().classes().signature(type).toString();
  }

  @Override
  default String getClassStatus(Class<?> type) {
    return String.valueOf(jvmti().classes().status(type).bits());
  }

  @Override
  default String getSourceFileName(Class<?> type) {
    return jvmti().classes().sourceFileName(type).orElse("ABSENT_INFORMATION");
  }

  @Override
  default String getClassModifiers(Class<?> type) {
    return String.valueOf(jvmti().classes().modifiers(type));
  }

  @Override
  default String isInterface(Class<?> type) {
    return String.valueOf(jvmti().classes().isInterface(type));
  }

  @Override
  default String isArrayClass(Class<?> type) {
    return String.valueOf(jvmti().classes().isArray(type));
  }

  @Override
  default String getClassLoader(Class<?> type) {
    return Names.of(jvmti().classes().loader(type).orElse(null));
  }

  @Override
  default String getClassVersionNumbers(Class<?> type) {
    return jvmti()
        .classes()
        .version(type)
        .map(version -> version.major() + "." + version.minor())
        .orElse("ABSENT_INFORMATION");
  }

  @Override
  default String getLoadedClasses() {
    return Names.ofAll(jvmti().classes().loaded());
  }

  @Override
  default String isModifiableClass(Class<?> type) {
    return String.valueOf(jvmti().classes().isModifiable(type));
  }

  /** Arrays of arrays are there if anybody in the JVM has made one. */
  @Override
  default String getClassLoaderClasses(@Nullable ClassLoader loader) {
    List<Class<?>> types =
        loader == null
            ? jvmti().classes().initiatedByBootstrapLoader()
            : jvmti().classes().initiatedBy(loader);
    return Names.ofAll(types.stream().filter(type -> !type.getName().startsWith("[[")).toList());
  }

  @Override
  default String getClassMethods(Class<?> type) {
    return Names.sorted(
        jvmti().classes().methods(type).stream().map(method -> method.name() + method.signature()),
        ",");
  }

  @Override
  default String getClassFields(Class<?> type) {
    return jvmti().classes().fields(type).stream()
        .map(JvmField::name)
        .collect(Collectors.joining(","));
  }

  /** How many constants, and what becomes of all bytes behind their number. */
  @Override
  default String getConstantPool(Class<?> type) {
    return jvmti().classes().constantPool(type).map(OursClass::text).orElse("ABSENT_INFORMATION");
  }

  private static String text(ConstantPool pool) {
    byte[] all = pool.toByteArray();
    byte[] bytes = Arrays.copyOfRange(all, 2, all.length);
    return "%d constants, %d bytes, %d"
        .formatted(pool.count(), bytes.length, Arrays.hashCode(bytes));
  }

  @Override
  default String redefineClasses(Class<?> type, byte... classBytes) {
    jvmti().classes().redefine(type, classBytes);
    return "NONE";
  }

  @Override
  default String retransformClasses(Class<?> type) {
    jvmti().classes().retransform(type);
    return "NONE";
  }
}
