package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The first thread that comes to a place initialises nothing. If it did with no stack left, what it
 * could not initialise would be of no use for ever, and if it were suspended meanwhile, whoever
 * comes by would wait for it.
 */
class FirstHitTest {

  /** What somebody asks for. */
  enum Asked {
    PLACE,
    CLASS_TO_COME,
    SNAPSHOT,
    THROWABLE
  }

  @ParameterizedTest
  @EnumSource
  void itLoadsNoClass(Asked asked) {
    ChildJvm.of(Loads.class).args(asked.name()).agent("prepare=debugging").run().succeeds();
  }

  static final class Loads {

    private static final class Made extends RuntimeException {
      private static final long serialVersionUID = 1;
    }

    /** Nobody has used it before. */
    private static final class Come {
      static int by() {
        return 1;
      }
    }

    static void hit(int number, Object object) {
      List.of(number, object);
    }

    /** With a method of the JDK's below. */
    private static void comeBy() {
      hit(2, "first");
      new Made();
      Come.by();
    }

    public static void main(String[] args) throws InterruptedException {
      Asked asked = Asked.valueOf(args[0]);
      Queue<Object> seen = new ConcurrentLinkedQueue<>();
      try (Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES, CAN_GENERATE_BREAKPOINT_EVENTS)) {
        Thread before = new Thread(() -> new Made().toString());
        before.start();
        before.join();
        hit(1, "before");
        AutoCloseable point = begin(jvmti, asked, seen);
        loaded(jvmti).removeAll(loaded(jvmti));
        Thread first = new Thread(Loads::comeBy);
        Set<Class<?>> known = loaded(jvmti);
        first.start();
        first.join();
        Set<Class<?>> after = loaded(jvmti);
        after.removeAll(known);
        after.removeIf(type -> type == Come.class);
        assertThat(after).extracting(Class::getName).isEmpty();
        close(point);
      }
      assertThat(seen).isNotEmpty();
    }

    private static AutoCloseable begin(Jvmti jvmti, Asked asked, Queue<Object> seen) {
      String here = Loads.class.getName();
      return switch (asked) {
        case PLACE -> {
          CodePlace place = CodePlace.entry(here, "hit");
          PlaceSubscription at =
              jvmti.events().at(place, frame -> seen.add(frame.local("number", int.class)));
          yield at;
        }
        case CLASS_TO_COME -> {
          PlaceSubscription at =
              jvmti.events().at(CodePlace.entry(here + "$Come", "by"), frame -> seen.add(frame));
          yield at;
        }
        case SNAPSHOT -> {
          SnapshotPoint at = jvmti.snapshots().at(here, "hit").forEach(seen::add);
          yield at;
        }
        case THROWABLE -> {
          SnapshotPoint at = jvmti.snapshots().onException(Made.class).forEach(seen::add);
          yield at;
        }
      };
    }

    private static Set<Class<?>> loaded(Jvmti jvmti) {
      return new HashSet<>(jvmti.classes().loaded());
    }

    private static void close(AutoCloseable point) {
      try {
        if (point instanceof SnapshotPoint snapshots) {
          snapshots.flush();
        }
        point.close();
      } catch (Exception unexpected) {
        throw new AssertionError(Arrays.toString(unexpected.getStackTrace()), unexpected);
      }
    }
  }
}
