package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/** The classes in the jar of the product. */
public final class ProductClasses {

  private ProductClasses() {}

  /** The classes that are not exported, nested ones included. */
  public static List<Class<?>> internal() {
    return in(name -> name.startsWith("io.jvmtools.internal"));
  }

  /** The public classes of the packages that are exported, nested ones included. */
  public static List<Class<?>> exported() {
    Set<String> packages =
        ModuleFinder.of(Installation.jar())
            .findAll()
            .iterator()
            .next()
            .descriptor()
            .exports()
            .stream()
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    return in(packages::contains).stream().filter(ProductClasses::isPublic).toList();
  }

  /** The facets of an environment: what its class has a maker of. */
  public static List<Class<?>> facets() {
    return Arrays.stream(load("io/jvmtools/Jvmti.class").getDeclaredFields())
        .filter(field -> field.getType().getSimpleName().equals("Maker"))
        .map(field -> ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[1])
        .<Class<?>>map(facet -> (Class<?>) facet)
        .toList();
  }

  private static List<Class<?>> in(Predicate<String> packages) {
    try (JarFile jar = new JarFile(Installation.jar().toFile())) {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith("io/jvmtools/"))
          .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
          .<Class<?>>map(ProductClasses::load)
          .filter(type -> packages.test(type.getPackageName()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }

  /** The public methods of a public class, which reflection can call as they are. */
  public static List<Method> publicMethods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getDeclaringClass().getName().startsWith("io.jvmtools."))
        .toList();
  }

  private static Class<?> load(String file) {
    String name = file.replace(".class", "").replace('/', '.');
    try {
      return Class.forName(name, false, ProductClasses.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
