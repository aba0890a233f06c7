package io.jvmtools.pairs;

import io.jvmtools.support.Child;
import io.jvmtools.support.RunningChild;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Which operations a JVM offers. */
final class Offers {

  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String OFFERED = "offered ";
  private static final String OVER = "over";

  private Offers() {}

  /** Says them. */
  public static void main(String[] args) {
    Stage stage = new Stage();
    Operations.all().stream()
        .filter(stage::offers)
        .forEach(operation -> Child.say(OFFERED + operation));
    Child.say(OVER);
    System.exit(0);
  }

  /** The names of those of a new JVM. */
  static List<String> of(Setup setup) {
    List<String> names = new ArrayList<>();
    try (RunningChild child = setup.child(Offers.class).start(BOUND)) {
      for (String line = ""; !line.equals(OVER); line = child.await("")) {
        if (line.startsWith(OFFERED)) {
          names.add(line.substring(OFFERED.length()));
        }
      }
      child.end();
    }
    return names;
  }
}
