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
    new ThreadScenes(notes, source).play();
    new StackScenes(notes, source).play();
    new MonitorScenes(notes, source).play();
    new ObjectScenes(notes, source).play();
    new ThreadGroupScenes(notes, source).play();
    new ClassScenes(notes, source).play();
    new GeneralScenes(notes, source).play();
    new CapabilitiesScenes(notes, source).play();
    new TimerScenes(notes, source).play();
    new SuspensionScenes(notes, source).play();
    // In one piece: the JVM itself writes to the same place.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.print(System.lineSeparator() + notes.print());
    out.flush();
  }
}
