package io.jvmtools.pairs;

import io.jvmtools.fuzz.Victims;
import io.jvmtools.support.Parked;
import java.util.Random;
import java.util.function.BiFunction;

/** Which threads are named to an operation while it is looked whether anything grows. */
enum Named {
  /** Some that live. */
  PLATFORM {
    @Override
    Thread thread(Victims victims, Random random) {
      return victims.platform(random);
    }

    @Override
    Thread running(Victims victims, Random random) {
      return victims.running(random);
    }
  },
  /** Some that live. */
  VIRTUAL {
    @Override
    Thread thread(Victims victims, Random random) {
      return victims.virtual(random);
    }

    @Override
    Thread running(Victims victims, Random random) {
      return victims.runningVirtual(random);
    }
  },
  /** A new one each time, which has ended by then, or ends meanwhile. */
  ENDING {
    @Override
    Thread thread(Victims victims, Random random) {
      Runnable body = () -> {};
      if (Parked.hasVirtualThreads() && random.nextBoolean()) {
        return Parked.startVirtual(body);
      }
      return victims.ending(body);
    }

    @Override
    Thread running(Victims victims, Random random) {
      return thread(victims, random);
    }
  };

  /** What an operation takes of them. */
  BiFunction<Victims, Random, Thread> of(Operation operation) {
    return operation.leavesFrames() ? this::running : this::thread;
  }

  abstract Thread thread(Victims victims, Random random);

  /** One whose innermost frame can be left. */
  abstract Thread running(Victims victims, Random random);
}
