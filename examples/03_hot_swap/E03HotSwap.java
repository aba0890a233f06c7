package io.jvmtools.examples;

import io.jvmtools.JvmTools;
import io.jvmtools.RedefinitionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives the loaded classes the class files that a compiler has written to a directory. */
public final class E03HotSwap {

  private E03HotSwap() {}

  /** A directory; what is swapped is printed, and why not if it cannot be. */
  public static void main(String... arguments) throws IOException {
    System.out.println(E03Greeting.text());
    System.out.println("swapped " + swap(Path.of(arguments[0])));
    System.out.println(E03Greeting.text());
  }

  /** All of them together or none: they may belong to each other. */
  static List<String> swap(Path directory) throws IOException {
    Map<Class<?>, byte[]> files = new HashMap<>();
    for (Class<?> type : JvmTools.getLoadedClasses()) {
      Path file = directory.resolve(type.getName().replace('.', '/') + ".class");
      if (JvmTools.isModifiableClass(type) && Files.exists(file)) {
        files.put(type, Files.readAllBytes(file));
      }
    }
    try {
      JvmTools.redefineClasses(files);
    } catch (RedefinitionException e) {
      System.out.println(e.getMessage());
      return List.of();
    }
    return files.keySet().stream().map(Class::getName).sorted().toList();
  }
}
