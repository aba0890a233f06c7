package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.OneClassJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** System properties, and where class loaders look for more. */
final class SystemScenes implements Scenes {

  private static final String[] NAMES = {
    "java.vm.name", "java.vm.version", "jdk.virtualThreadScheduler.parallelism", "no.such", "", "\0"
  };

  private final Notes notes;
  private final Observer.Source source;

  SystemScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    Observer observer = source.open();
    properties(observer);
    Path folder = folder();
    search(
        "AddToBootstrapClassLoaderSearch.",
        observer::addToBootstrapClassLoaderSearch,
        OneClassJar.write(folder.resolve("boot.jar"), "jvmtools.oracle.Boot"),
        () -> found("jvmtools.oracle.Boot", null));
    search(
        "AddToSystemClassLoaderSearch.",
        observer::addToSystemClassLoaderSearch,
        OneClassJar.write(folder.resolve("application.jar"), "jvmtools.oracle.Application"),
        () -> found("jvmtools.oracle.Application", ClassLoader.getSystemClassLoader()));
    notes.answer(observer::disposeEnvironment);
  }

  private void properties(Observer observer) {
    notes.note("GetSystemProperties.known", () -> Call.properties(observer.getSystemProperties()));
    for (int i = 0; i < NAMES.length; i++) {
      String name = NAMES[i];
      notes.note("GetSystemProperty.name" + i, () -> observer.getSystemProperty(name));
    }
    System.setProperty("oracle.set.later", "by the program");
    notes.note("GetSystemProperty.setLater", () -> observer.getSystemProperty("oracle.set.later"));
  }

  private void search(
      String function, UnaryOperator<String> add, Path jar, Supplier<String> found) {
    jar.toFile().deleteOnExit();
    notes.note(function + "noFile", () -> add.apply(jar + ".not"));
    notes.note(function + "folder", () -> add.apply(jar.getParent().toString()));
    notes.note(function + "noName", () -> add.apply(""));
    notes.note(function + "zero", () -> add.apply(jar + "\0"));
    notes.note(
        function + "jar",
        found,
        () -> add.apply(jar.toString()),
        found,
        () -> add.apply(jar.toString()));
  }

  private static String found(String name, ClassLoader loader) {
    try {
      return Names.of(Class.forName(name, false, loader).getClassLoader());
    } catch (ClassNotFoundException notThere) {
      return "not found";
    }
  }

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("oracle");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
