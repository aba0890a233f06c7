package io.jvmtools.examples;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_MONITOR_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS;
import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.examples.Report.TaggedRow;
import io.jvmtools.objects.LiveObjects;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Looks into a JVM in which the H2 database is busy: who does what, where, with what in his hands,
 * at what cost, and who waits for whom. Then it changes what the database says. The JVM tells of
 * what happened meanwhile: who waited for a monitor, what was allocated, what failed, who updated a
 * row.
 */
public final class E01LookInside {

  private static final int TAGGED_ROWS = 1_000;
  private static final Capability[] NEEDED = {
    CAN_SUSPEND,
    CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
    CAN_GET_CURRENT_CONTENDED_MONITOR,
    CAN_GET_THREAD_CPU_TIME,
    CAN_ACCESS_LOCAL_VARIABLES,
    CAN_GET_BYTECODES,
    CAN_TAG_OBJECTS,
    CAN_RETRANSFORM_CLASSES,
    CAN_GENERATE_MONITOR_EVENTS,
    CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS,
    CAN_GENERATE_BREAKPOINT_EVENTS
  };
  private static final List<String> LOOKED_AT = List.of("teller-2", "auditor-2", "lookup-1");

  /** Prints the report: {@code --json} for a machine, else for a person. */
  public static void main(String... arguments) throws Exception {
    boolean json = List.of(arguments).contains("--json");
    try (Jvmti jvmti = Jvmti.open(NEEDED);
        Watch watch = Watch.begin(jvmti)) {
      Report report = look(jvmti);
      // The database is closed: who waited for a monitor has had it.
      Watch.Told told = watch.told();
      System.out.print(json ? JsonReport.of(report, told) : TextReport.of(report, told));
    }
  }

  private static Report look(Jvmti jvmti) throws Exception {
    try (H2Workload h2 = H2Workload.start(Progress::rows)) {
      h2.stuck().forEach((t, method) -> Progress.await(method, () -> isStuck(jvmti, t, method)));
      ThreadDump dump = jvmti.dumps().take();
      return new Report(
          dump,
          Standing.of(jvmti, dump, LOOKED_AT),
          h2.blockers(),
          Allocations.of(jvmti, h2),
          Failed.of(jvmti, h2),
          jvmti.capabilities(),
          taggedRows(jvmti, h2),
          OnTheFly.of(jvmti, h2));
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
