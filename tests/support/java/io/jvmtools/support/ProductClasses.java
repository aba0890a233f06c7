package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The classes in the jar of the product. */
public final class ProductClasses {

  private ProductClasses() {}

  /** The classes of a package, nested ones included. */
  public static List<Class<?>> of(String packageName) {
    String folder = packageName.replace('.', '/') + '/';
    try (JarFile jar = new JarFile(Installation.jar().toFile())) {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(folder) && name.indexOf('/', folder.length()) < 0)
          .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
          .<Class<?>>map(ProductClasses::load)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The public methods of a public class, those of its package-private superclasses included: they
   * are inherited by its users, and reflection needs permission to call them.
   */
  public static List<Method> publicMethods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getDeclaringClass().getName().startsWith("io.jvmtools."))
        .peek(method -> method.setAccessible(true))
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
