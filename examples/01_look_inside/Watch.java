package io.jvmtools.examples;

import io.jvmtools.Jvmti;
import io.jvmtools.event.Profile;
import io.jvmtools.event.ProfileSnapshot;
import io.jvmtools.snapshot.Snapshot;
import io.jvmtools.snapshot.SnapshotCounts;
import io.jvmtools.snapshot.SnapshotPoint;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.h2.jdbc.JdbcStatement;

/**
 * What the JVM is asked to tell of before anything happens: who waits for monitors, and who is the
 * first to update a row.
 */
final class Watch implements AutoCloseable {

  static final String BEGINNING = "UPDATE";

  /** H2 is compiled without names of variables: its first parameter. */
  private static final String SQL = "arg0";

  private final Profile contention;
  private final List<Snapshot> updates = new CopyOnWriteArrayList<>();
  private final SnapshotPoint point;

  /**
   * What was told.
   *
   * @param contention who waited for which monitors, and how long
   * @param update who is about to execute the first such statement, with the variables
   * @param counts what became of the statements until then
   */
  record Told(ProfileSnapshot contention, Snapshot update, SnapshotCounts counts) {}

  private Watch(Jvmti jvmti) {
    contention = jvmti.profile().contention();
    point =
        jvmti
            .snapshots()
            .at(JdbcStatement.class.getName(), "execute")
            .onlyIf(frame -> frame.local(SQL, String.class).startsWith(BEGINNING))
            .limit(1)
            .frames(3)
            .keepFramesOf(Watch.class.getPackageName())
            .forEach(updates::add);
  }

  static Watch begin(Jvmti jvmti) {
    return new Watch(jvmti);
  }

  /** What was told so far: of those who wait for a monitor that is when they have it. */
  Told told() {
    point.flush();
    return new Told(contention.snapshot(), updates.get(0), point.counts());
  }

  @Override
  public void close() {
    point.close();
    contention.close();
  }
}
