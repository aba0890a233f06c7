package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Scenarios of one subject, with a constructor for where to write and whom to ask. Those whose name
 * ends like this one's are found.
 */
public interface Scenes {

  /** Asks, and writes down what was answered. */
  void play();

  /**
   * Plays all that stand beside this interface, by their names, each made when the one before is
   * over: what only one environment can hold is free again then.
   */
  static void playAll(Notes notes, Observer.Source source) {
    for (String name : names()) {
      make(name, notes, source).play();
    }
  }

  private static List<String> names() {
    try (Stream<Path> files = Files.list(Path.of(Scenes.class.getResource(".").toURI()))) {
      return files
          .map(file -> file.getFileName().toString().replace(".class", ""))
          .filter(name -> name.endsWith("Scenes") && !name.equals(Scenes.class.getSimpleName()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Scenes make(String name, Notes notes, Observer.Source source) {
    try {
      return Class.forName(Scenes.class.getPackageName() + "." + name)
          .asSubclass(Scenes.class)
          .getDeclaredConstructor(Notes.class, Observer.Source.class)
          .newInstance(notes, source);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
