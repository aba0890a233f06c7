package io.jvmtools.benches;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.snapshot.SnapshotPlan;
import io.jvmtools.snapshot.SnapshotPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot point costs the thread that comes by: where a throwable is made, against making
 * one that nobody asks for, and against a constructor that calls what a changed class file would.
 */
public final class SnapshotsBench {

  /** Where throwables go. */
  private static volatile @Nullable Object sink;

  /** What a changed constructor would look at first. */
  private static volatile boolean wanted;

  private SnapshotsBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  @SuppressWarnings("try") // They are there, which is all.
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("snapshots", args);
    try (Jvmti jvmti =
            Jvmti.open(
                Capability.CAN_GENERATE_BREAKPOINT_EVENTS, Capability.CAN_ACCESS_LOCAL_VARIABLES);
        SnapshotPoint limited = plan(jvmti, Limited.class).perSecond(1).forEach(taken -> {});
        SnapshotPoint unmatched =
            plan(jvmti, Unmatched.class)
                .onlyIf(frame -> frame.local("number", int.class) < 0)
                .forEach(taken -> {});
        SnapshotPoint kept = plan(jvmti, Kept.class).forEach(taken -> {})) {
      List<Figure> figures =
          Race.run(
              Stopwatch.THREAD,
              loop("nobody asks", number -> sink = new Plain(number)),
              loop("a constructor that calls", number -> sink = new Hooked(number)),
              loop("enough in this second", number -> sink = new Limited(number)),
              loop("does not match", number -> sink = new Unmatched(number)),
              loop("taken", number -> sink = new Kept(number)));
      for (Figure figure : figures.subList(1, figures.size())) {
        report.compare("a throwable is made", figure, figures.get(0), null);
      }
    }
  }

  private static SnapshotPlan plan(Jvmti jvmti, Class<? extends Throwable> type) {
    return jvmti
        .snapshots()
        .onException(type)
        .limit(Long.MAX_VALUE)
        .perSecond(Integer.MAX_VALUE)
        .frames(10);
  }

  private interface Making {
    void one(int number);
  }

  private static Contestant loop(String name, Making making) {
    return new Contestant(
        name,
        times -> {
          for (int i = 0; i < times; i++) {
            making.one(i);
          }
        });
  }

  private static class Plain extends Exception {
    private static final long serialVersionUID = 1L;

    final int number;

    Plain(int number) {
      super("an exception");
      this.number = number;
    }
  }

  private static final class Hooked extends Plain {
    private static final long serialVersionUID = 1L;

    Hooked(int number) {
      super(number);
      if (wanted) {
        sink = this;
      }
    }
  }

  private static final class Limited extends Plain {
    private static final long serialVersionUID = 1L;

    Limited(int number) {
      super(number);
    }
  }

  private static final class Unmatched extends Plain {
    private static final long serialVersionUID = 1L;

    Unmatched(int number) {
      super(number);
    }
  }

  private static final class Kept extends Plain {
    private static final long serialVersionUID = 1L;

    Kept(int number) {
      super(number);
    }
  }
}
