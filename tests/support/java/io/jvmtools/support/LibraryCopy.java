package io.jvmtools.support;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A copy of the library's classes, and of the tests', in a class loader of its own. */
public class LibraryCopy extends URLClassLoader {

  /** Makes a copy that shares nothing but the JDK with anybody. */
  public LibraryCopy() {
    super(
        Installation.classPath().stream().map(LibraryCopy::url).toArray(URL[]::new),
        ClassLoader.getPlatformClassLoader());
  }

  /** Runs a body inside the copy: a class with a constructor without parameters. */
  @SuppressWarnings("unchecked")
  public <T> T call(Class<? extends Callable<T>> body) {
    try {
      var constructor = loadClass(body.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return ((Callable<T>) constructor.newInstance()).call();
    } catch (Exception e) {
      throw new AssertionError(body.getName() + " failed in " + this, e);
    }
  }

  /** Closes its files; what is loaded stays. */
  @Override
  public void close() {
    try {
      super.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
