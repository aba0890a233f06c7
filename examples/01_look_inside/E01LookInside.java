package io.jvmtools.examples;

import static io.jvmtools.Capability.CAN_TAG_OBJECTS;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.examples.Report.TaggedRow;
import io.jvmtools.object.LiveObjects;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Looks into a JVM in which the H2 database is busy: who does what, where, at what cost, and who
 * waits for whom.
 */
public final class E01LookInside {

  private static final int TAGGED_ROWS = 1_000;

  /** Prints the report: {@code --json} for a machine, else for a person. */
  public static void main(String... arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    try (H2Workload h2 = H2Workload.start(Progress::rows);
        Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS)) {
      h2.stuck().forEach((t, method) -> Progress.await(method, () -> isStuck(jvmti, t, method)));
      Report report =
          new Report(
              JvmTools.threadDump(), jvmti.capabilities(), taggedRows(jvmti, h2), h2.blockers());
      System.out.print(json ? JsonReport.of(report) : TextReport.of(report));
    }
  }

  /** Tags rows where H2 keeps them, forgets them, and finds them again by nothing but the tags. */
  private static List<TaggedRow> taggedRows(Jvmti jvmti, H2Workload h2) throws SQLException {
    LiveObjects objects = jvmti.objects();
    long tag = 0;
    for (Object row : h2.rowObjects(TAGGED_ROWS)) {
      objects.setTag(row, ++tag);
    }
    return objects.withTags(LongStream.rangeClosed(1, tag).toArray()).stream()
        .map(o -> new TaggedRow(o, objects.size(o.object()), objects.identityHash(o.object())))
        .sorted(Comparator.comparing(row -> row.tagged().tag()))
        .toList();
  }

  private static boolean isStuck(Jvmti jvmti, Thread thread, String method) {
    return !jvmti.threads().state(thread).isRunnable()
        && jvmti.frames().stackTrace(thread).toString().contains(method);
  }
}
