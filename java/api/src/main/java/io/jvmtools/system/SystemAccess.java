package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.PlatformText;
import io.jvmtools.internal.system.SystemNatives;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JVM as a whole: the properties that it was started with, and where its own class loaders look
 * for classes.
 */
public final class SystemAccess {

  static {
    Makers.register(
        SystemAccess.class,
        new Maker<Environment, SystemAccess>() {
          @Override
          public SystemAccess make(Environment environment) {
            return new SystemAccess(environment);
          }
        });
  }

  private final Environment environment;

  SystemAccess(Environment environment) {
    this.environment = environment;
  }

  /**
   * The JVM's own properties: what it knows of itself, and what {@code -D} has set. They are not
   * those of {@link System#getProperties()}, of which the class library adds many and programs
   * change some; here nothing of that is seen. Needs no capability.
   *
   * @return an unmodifiable map in the order of the JVM; a property without a value is left out
   * @throws IllegalStateException if the environment is closed
   * @see #propertyNames()
   */
  @JvmtiFunction({"GetSystemProperties", "GetSystemProperty"})
  public Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String name : propertyNames()) {
      property(name).ifPresent(value -> properties.put(name, value));
    }
    return Collections.unmodifiableMap(properties);
  }

  /**
   * The names of the JVM's own properties. Needs no capability.
   *
   * @return an unmodifiable list in the order of the JVM
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetSystemProperties")
  public List<String> propertyNames() {
    return environment.keep(List.of(SystemNatives.getSystemProperties(environment.handle())));
  }

  /**
   * The value of one of the JVM's own properties. Needs no capability.
   *
   * <p>To set one takes the agent, before the JVM reads it: {@code
   * -agentpath:…=property=NAME=VALUE}.
   *
   * @param name its name
   * @return its value, empty if the JVM has no such property, or does not tell it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetSystemProperty")
  public Optional<String> property(String name) {
    byte[] bytes = PlatformText.bytes(requireNonNull(name, "name"));
    return environment.keep(
        Optional.ofNullable(SystemNatives.getSystemProperty(environment.handle(), bytes)));
  }

  /**
   * Has the bootstrap class loader look for classes in one more jar, after all others, until the
   * JVM ends. What is found there is seen by everybody, belongs to the unnamed module of that
   * loader, and can see nothing of the application. The file has to stay as it is: the JVM keeps it
   * open. Needs no capability.
   *
   * <p>A JVM that shares class data says on its standard error that it does so for fewer classes
   * from now on.
   *
   * @param file a jar
   * @throws IllegalArgumentException if it is not a file of the default file system
   * @throws JvmtiException with the code 103 if the JVM cannot open it as a jar
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddToBootstrapClassLoaderSearch")
  public void addToBootstrapSearch(Path file) {
    SystemNatives.addToBootstrapClassLoaderSearch(
        environment.handle(), bytesOf(PlatformText.file(file, "file")));
    environment.keep();
  }

  /**
   * Has the system class loader, which loads the application, look for classes in one more jar,
   * after the class path, until the JVM ends. The file has to stay as it is: the JVM keeps it open.
   * Needs no capability.
   *
   * <p>The JVM calls the loader's {@code appendToClassPathForInstrumentation} with the path, on the
   * calling thread: it takes the locks that the loader takes, as loading a class does, and whoever
   * is suspended there keeps those who load classes waiting. The JDK's loader has such a method;
   * one that {@code java.system.class.loader} names may lack it.
   *
   * @param file a jar
   * @throws IllegalArgumentException if it is not a file of the default file system, or if its name
   *     has characters beyond U+FFFF, which the JDK's loader cannot read
   * @throws JvmtiException with the code 103 if the JVM cannot open it as a jar, 106 if the loader
   *     has no method for it, 113 if that throws
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("AddToSystemClassLoaderSearch")
  public void addToSystemSearch(Path file) {
    byte[] segment = bytesOf(readable(PlatformText.file(file, "file")));
    SystemNatives.addToSystemClassLoaderSearch(environment.handle(), segment);
    environment.keep();
  }

  /**
   * It would find nothing there, and until 21 from then on throw at everybody who asks it for a
   * class that is not there.
   */
  private static File readable(File file) {
    if (canonical(file).chars().anyMatch(c -> Character.isSurrogate((char) c))) {
      throw new IllegalArgumentException(
          "file: the system class loader cannot read a class path with characters beyond U+FFFF");
    }
    return file;
  }

  /** As the loader writes it. */
  private static String canonical(File file) {
    try {
      return file.getCanonicalPath();
    } catch (IOException unknown) {
      return file.getAbsolutePath();
    }
  }

  private static byte[] bytesOf(File file) {
    return PlatformText.bytes(file.getAbsolutePath());
  }
}
