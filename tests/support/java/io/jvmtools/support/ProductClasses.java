package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
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

  private static Class<?> load(String file) {
    String name = file.replace(".class", "").replace('/', '.');
    try {
      return Class.forName(name, false, ProductClasses.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
