package io.jvmtools.snapshot;

import io.jvmtools.event.CodePlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Does once what the first thread would do that comes to a place. What it initialised would be of
 * no use for ever if it had no stack left, and if it stood still then, others would wait for it.
 */
final class SnapshotRehearsal {

  private static volatile boolean isOver;

  private SnapshotRehearsal() {}

  static void once(CodePlace place) {
    if (!isOver) {
      take(place);
      handOver();
      isOver = true;
    }
  }

  private static void take(CodePlace place) {
    SnapshotSettings settings = new SnapshotSettings();
    settings.objectDepth = 3;
    ValueReader reader = new ValueReader(settings);
    SnapshotValue values = reader.read("[Ljava/lang/Object;", samples());
    StackTraceElement element = new StackTraceElement("Sample", "sample", null, 0);
    List<SnapshotVariable> variables = List.of(new SnapshotVariable("samples", values));
    Thread thread = Thread.currentThread();
    Snapshot unused =
        new Snapshot(
            place,
            Instant.now(),
            thread.getName(),
            ValueReader.threadId(thread),
            // None is made: somebody may take a snapshot where that is done.
            Optional.empty(),
            List.of(new SnapshotFrame(element, variables)),
            0);
  }

  /** One of each kind that is read in its own way. */
  private static Object[] samples() {
    return new Object[] {
      "text",
      1,
      1.5,
      'c',
      String.class,
      TimeUnit.SECONDS,
      Thread.currentThread(),
      new int[] {1},
      new ArrayList<>(List.of(1)),
      new HashMap<>(Map.of("key", 1)),
      List.of(1),
      Map.of(1, 2),
      Optional.of(1),
      new StackTraceElement("Sample", "sample", null, 0)
    };
  }

  private static void handOver() {
    SnapshotSettings settings = new SnapshotSettings();
    SnapshotHandover handover = new SnapshotHandover(snapshot -> {}, settings.onError);
    SnapshotHandover.Due over = new SnapshotHandover.Due(null);
    handover.begin(over);
    over.isOver = true;
    handover.begin(new SnapshotHandover.Due(null));
    boolean unused = new SnapshotQuota(1, 1).take();
  }
}
