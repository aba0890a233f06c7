package io.jvmtools.pairs;

import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiException;
import io.jvmtools.VerboseFlag;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/**
 * One operation again and again; what it suspends is resumed, what it sets is cleared, and the
 * other way round.
 */
final class Loop implements AutoCloseable {

  private static final int FEW = 20;
  private static final Duration A_WHILE = Duration.ofSeconds(20);
  private static final int OFTEN = 10;

  private final Stage stage;
  private final Operation operation;
  private final Place place;
  private final Caller caller;
  private final Valid draw;
  private final Optional<Operation> opposite;

  /** With any threads that the operation takes. */
  Loop(Stage stage, Operation operation) {
    this(stage, operation, caller -> caller.draw(new Random(0)));
  }

  /** With threads that are named to the operation. */
  Loop(Stage stage, Operation operation, Named named) {
    this(stage, operation, caller -> caller.draw(new Random(0), named.of(operation)));
  }

  private Loop(Stage stage, Operation operation, Function<Caller, Valid> drawing) {
    this.stage = stage;
    this.operation = operation;
    place = new Place(stage.shared(), stage.solo());
    caller = new Caller("loop", operation, place, stage, unused -> {});
    draw = drawing.apply(caller);
    opposite = Operations.opposite(operation);
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

  /** Some calls, and more as long as none has returned; one that never does is noted. */
  void untilItReturns() throws ReflectiveOperationException {
    // A victim that does not run in between cannot be had to leave its frame once more.
    for (int i = 0; i == 0 || i < OFTEN && stage.hasYetToReturn(operation); i++) {
      run(FEW, A_WHILE);
    }
    stage.demandReturn(operation);
  }

  private void call() throws ReflectiveOperationException {
    Object[] arguments = draw.arguments();
    List<Thread> threads = threadsIn(arguments);
    if (operation.resumes()) {
      suspend(threads);
    } else if (operation.clears()) {
      callOpposite(arguments);
    }
    caller.call(draw, arguments);
    if (operation.suspends() || operation.resumes() || operation.wantsStanding()) {
      resume(threads);
    } else if (!operation.clears()) {
      callOpposite(arguments);
    }
  }

  private void callOpposite(Object[] arguments) throws ReflectiveOperationException {
    if (opposite.isPresent()) {
      Operation other = opposite.get();
      Object receiver = other.receiver(place.environment(caller.stay()));
      try {
        other.target().call(receiver, arguments);
      } catch (JvmtiException refused) {
        // As the operation itself is, for there is no such place in the method.
      } catch (Throwable thrown) {
        throw new IllegalStateException(other + " of what " + operation + " takes", thrown);
      }
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
      } else if (argument instanceof StackFrame frame) {
        frame.thread().ifPresent(threads::add);
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
