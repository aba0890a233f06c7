package io.jvmtools.dump;

import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.dump.DumpFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What native code could have read, thread after thread; a call speaks of the thread named last.
 */
final class FabricatedFacts {

  static final int RUNNABLE = 0x5;
  static final int BLOCKED = 0x401;
  static final int IN_WAIT = 0x191;
  static final int PARKED = 0x291;
  static final int SUSPENDED = 0x100000;
  static final int TERMINATED = 0x2;

  private final List<Row> rows = new ArrayList<>();
  private final List<Local> locals = new ArrayList<>();
  private boolean suspended;
  private boolean monitorsNameOwners;
  private int late;

  private static final class Row {
    private final Thread thread;
    private final int state;
    private long[] frames = {};
    private int code;
    private long cpuNanos = -1;
    private long nativeId = 4711;
    private long ageNanos = 1_000_000_000;
    private @Nullable Thread carrier;
    private @Nullable Object container;
    private @Nullable Object contended;
    private @Nullable Thread contendedOwner;
    private @Nullable Integer count;
    private final List<Object> monitors = new ArrayList<>();
    private final List<Integer> depths = new ArrayList<>();
    private @Nullable Object blocker;
    private @Nullable Thread blockerOwner;

    Row(Thread thread, int state) {
      this.thread = thread;
      this.state = state;
    }
  }

  private record Local(
      int row, int depth, String name, String signature, long bits, @Nullable Object object) {}

  FabricatedFacts thread(Thread thread, int state) {
    rows.add(new Row(thread, state));
    return this;
  }

  /** Method id and location, in turn. */
  FabricatedFacts frames(long... frames) {
    last().frames = frames;
    return this;
  }

  FabricatedFacts owns(Object monitor, int depth) {
    last().monitors.add(monitor);
    last().depths.add(depth);
    return this;
  }

  FabricatedFacts contends(Object monitor) {
    last().contended = monitor;
    return this;
  }

  /** The JVM does not tell what it owns. */
  FabricatedFacts untold() {
    last().count = -1;
    return this;
  }

  /** There was no time to ask what it owns, nor who owns what it wants. */
  FabricatedFacts late() {
    last().count = Integer.MIN_VALUE;
    late = Bridge.DUMP_MONITORS | Bridge.DUMP_OWNERS | Bridge.DUMP_CONTENDED | Bridge.DUMP_LOCALS;
    return this;
  }

  /** The mode in which monitors tell their owners, and that of the one it contends for. */
  FabricatedFacts ownedBy(@Nullable Thread owner) {
    monitorsNameOwners = true;
    last().contendedOwner = owner;
    return this;
  }

  FabricatedFacts parkedOn(Object blocker, @Nullable Thread owner) {
    last().blocker = blocker;
    last().blockerOwner = owner;
    return this;
  }

  FabricatedFacts cpu(long nanos) {
    last().cpuNanos = nanos;
    return this;
  }

  /** A virtual thread, which has neither a number nor an age. */
  FabricatedFacts carriedBy(@Nullable Thread carrier, Object container) {
    last().nativeId = -1;
    last().ageNanos = -1;
    last().carrier = carrier;
    last().container = container;
    return this;
  }

  /** The system does not tell for how long it has been there. */
  FabricatedFacts ageless() {
    last().ageNanos = -1;
    return this;
  }

  /** The mode in which threads are suspended, and the error of this thread's suspension. */
  FabricatedFacts suspension(int code) {
    suspended = true;
    last().code = code;
    return this;
  }

  FabricatedFacts local(
      int depth, String name, String signature, long bits, @Nullable Object object) {
    locals.add(new Local(rows.size() - 1, depth, name, signature, bits, object));
    return this;
  }

  private Row last() {
    return rows.get(rows.size() - 1);
  }

  DumpFacts build() {
    return new DumpFacts(
        rows.stream().map(row -> row.thread).toArray(Thread[]::new),
        packed(),
        suspended ? rows.stream().mapToInt(row -> row.code).toArray() : null,
        rows.stream().mapToLong(row -> row.cpuNanos).toArray(),
        rows.stream().map(row -> row.contended).toArray(),
        monitorsNameOwners
            ? rows.stream().map(row -> row.contendedOwner).toArray(Thread[]::new)
            : null,
        rows.stream()
            .mapToInt(row -> row.count == null ? row.monitors.size() : row.count)
            .toArray(),
        rows.stream().flatMap(row -> row.monitors.stream()).toArray(),
        rows.stream().flatMap(row -> row.depths.stream()).mapToInt(Integer::intValue).toArray(),
        rows.stream().map(row -> row.blocker).toArray(),
        rows.stream().map(row -> row.blockerOwner).toArray(Thread[]::new),
        locals.stream().flatMapToInt(at -> IntStream.of(at.row(), at.depth())).toArray(),
        locals.stream().map(Local::name).toArray(String[]::new),
        locals.stream().map(Local::signature).toArray(String[]::new),
        locals.stream().mapToLong(Local::bits).toArray(),
        locals.stream().map(Local::object).toArray(),
        rows.stream().map(row -> row.carrier).toArray(Thread[]::new),
        rows.stream().map(row -> row.container).toArray(),
        new Thread[rows.size()],
        rows.stream().mapToLong(row -> row.nativeId).toArray(),
        rows.stream().mapToLong(row -> row.ageNanos).toArray(),
        late,
        false);
  }

  /** With nothing but states and stacks, as an environment without capabilities reads. */
  DumpFacts bare() {
    DumpFacts all = build();
    return new DumpFacts(
        all.threads(),
        all.packed(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        all.blockers(),
        all.blockerOwners(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        false);
  }

  private long[] packed() {
    Stream<LongStream> stacks =
        rows.stream()
            .map(
                row ->
                    LongStream.concat(
                        LongStream.of(row.state, row.frames.length / 2),
                        LongStream.of(row.frames)));
    return LongStream.concat(LongStream.of(2), stacks.flatMapToLong(stack -> stack)).toArray();
  }
}
