package io.jvmtools.pairs;

import io.jvmtools.JvmTools;
import io.jvmtools.VerboseFlag;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/** One operation again and again; what it suspends is resumed, and the other way round. */
final class Loop implements AutoCloseable {

  private final Operation operation;
  private final Place place;
  private final Caller caller;
  private final Valid draw;

  Loop(Stage stage, Operation operation, Named named) {
    this.operation = operation;
    place = new Place(stage.shared(), true);
    caller = new Caller("growth", operation, place, stage, unused -> {});
    draw = new Valid(new Random(0), stage, operation, named::thread);
  }

  /** So many calls, if they do not take too long. Answers how many there were. */
  int run(int calls, Duration most) throws ReflectiveOperationException {
    long start = System.nanoTime();
    int done = 0;
    while (done < calls && System.nanoTime() - start < most.toNanos()) {
      call();
      done++;
    }
    return done;
  }

  private void call() throws ReflectiveOperationException {
    Object[] arguments = draw.arguments();
    List<Thread> threads = threadsIn(arguments);
    if (operation.resumes()) {
      suspend(threads);
    }
    caller.call(draw, arguments);
    if (operation.suspends() || operation.resumes()) {
      resume(threads);
    }
  }

  private void suspend(List<Thread> threads) {
    if (operation.kind() == Operation.Kind.STATIC_DOOR) {
      JvmTools.suspendThreadList(threads);
    } else {
      facet().suspend(threads);
    }
  }

  private void resume(List<Thread> threads) {
    boolean allVirtual = operation.wantsVirtualThreads() && Parked.hasVirtualThreads();
    if (operation.kind() == Operation.Kind.STATIC_DOOR) {
      JvmTools.resumeThreadList(threads);
      if (allVirtual) {
        JvmTools.resumeAllVirtualThreads();
      }
    } else {
      facet().resume(threads);
      if (allVirtual) {
        facet().resumeAllVirtual();
      }
    }
  }

  private Threads facet() {
    return place.environment(caller.stay()).threads();
  }

  private static List<Thread> threadsIn(Object[] arguments) {
    List<Thread> threads = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof Thread thread) {
        threads.add(thread);
      } else if (argument instanceof Thread[] array) {
        threads.addAll(List.of(array));
      } else if (argument instanceof Collection<?> elements) {
        elements.stream().filter(Thread.class::isInstance).forEach(e -> threads.add((Thread) e));
      }
    }
    return threads;
  }

  @Override
  public void close() {
    place.close(caller.stay());
    for (VerboseFlag flag : VerboseFlag.values()) {
      JvmTools.disableVerbose(flag);
    }
  }
}
