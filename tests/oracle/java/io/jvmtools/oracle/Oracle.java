package io.jvmtools.oracle;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.oracle.java.JavaItself;
import io.jvmtools.oracle.ours.OurEnvironment;
import io.jvmtools.oracle.scenes.Scenes;
import io.jvmtools.oracle.vm.Vm;
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
          case "ours" -> OurEnvironment::open;
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
