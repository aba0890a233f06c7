package io.jvmtools.pairs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Two operations that happen at once, and where. */
record Pair(Operation first, Operation second, Doors doors) {

  /** Every two, in an order that is mixed but stays, so that any share of them has some of all. */
  static List<Pair> all() {
    List<Operation> operations = Operations.all();
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      for (int j = i; j < operations.size(); j++) {
        for (Doors doors : Doors.values()) {
          if (doors.admit(operations.get(i), operations.get(j))) {
            pairs.add(new Pair(operations.get(i), operations.get(j), doors));
          }
        }
      }
    }
    Collections.shuffle(pairs, new Random(0));
    return pairs;
  }

  /**
   * Whether both change one class, or breakpoints in it: while the first stands in the middle of
   * giving it another class file, the second is refused after its bound, as its Javadoc says.
   */
  boolean changesOneClass() {
    boolean givesAFile = first.changesClasses() || second.changesClasses();
    return givesAFile && first.takesATurn() && second.takesATurn();
  }

  /**
   * Whether one may let a thread go of which the other writes a variable: while the first stands in
   * the middle of it, the second is refused after its bound, as its Javadoc says.
   */
  boolean resumesWhoIsWritten() {
    return first.resumesSomebody() && second.writesVariables()
        || second.resumesSomebody() && first.writesVariables();
  }

  /**
   * Whether both hold one raw monitor: while the first stands with it the second waits, for as long
   * as that lasts, as its Javadoc says.
   */
  boolean holdsOneMonitor() {
    return doors == Doors.ONE && first.holdsAMonitor() && second.holdsAMonitor();
  }

  @Override
  public String toString() {
    return first + " + " + second + " @ " + doors;
  }
}
