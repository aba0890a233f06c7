package io.jvmtools.examples;

import io.jvmtools.Jvmti;
import io.jvmtools.snapshot.Snapshot;
import io.jvmtools.snapshot.SnapshotPoint;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A statement that the database refuses, and who in it made the exception.
 *
 * @param statement what was asked for
 * @param message what the exception said to who asked for it
 * @param snapshot the stack where it was made, with what the variables of H2's parser held
 */
record Failed(String statement, String message, Snapshot snapshot) {

  static Failed of(Jvmti jvmti, H2Workload h2) {
    List<Snapshot> made = new CopyOnWriteArrayList<>();
    try (SnapshotPoint point =
        jvmti
            .snapshots()
            .onException(SQLException.class)
            .limit(1)
            .keepFramesOf("org.h2.command")
            .objectDepth(0)
            .forEach(made::add)) {
      String message = h2.failure();
      point.flush();
      return new Failed(H2Bank.TYPO, message, made.get(0));
    }
  }
}
