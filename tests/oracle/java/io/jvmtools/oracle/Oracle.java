package io.jvmtools.oracle;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Plays every scenario for one observer and prints what it saw, when all is over. */
final class Oracle {

  private Oracle() {}

  /** The observer is {@code vm}, {@code ours} or {@code java}. */
  public static void main(String[] args) {
    Observer.Source source =
        switch (args[0]) {
          case "vm" -> Vm::new;
          case "ours" -> Ours::new;
          case "java" -> capabilities -> JavaItself.open();
          default -> throw new IllegalArgumentException(args[0]);
        };
    Notes notes = new Notes(source.open());
    Scenes.playAll(notes, source);
    // In one piece: the JVM itself writes to the same place.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.print(System.lineSeparator() + notes.print());
    out.flush();
  }
}
