package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.support.Parked;
import java.util.List;
import java.util.function.Consumer;

/** Threads and thread groups. */
final class ThreadErrors implements ErrorRows {

  private static final Throwable EXCEPTION = new IllegalStateException("never thrown");

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
                "StopThread",
                THREAD_NOT_SUSPENDED,
                "a virtual thread that is not suspended",
                jvmti -> {
                  try (Parked worker = Parked.virtual()) {
                    jvmti.threads().stop(worker.thread(), EXCEPTION);
                  }
                })
            .from(21),
        provoke(
                "StopThread",
                OPAQUE_FRAME,
                "a suspended virtual thread that is not mounted",
                jvmti -> {
                  jvmti.add(Capability.CAN_SUSPEND);
                  whileSuspended(jvmti, thread -> jvmti.threads().stop(thread, EXCEPTION));
                })
            .from(21),
        nullRefused(
            "StopThread",
            INVALID_OBJECT,
            "exception",
            jvmti -> jvmti.threads().stop(Thread.currentThread(), null),
            new DirectAnswer(
                NULL_POINTER, env -> ThreadNatives.stopThread(env, Thread.currentThread(), null))));
  }

  /** A virtual thread that is parked is not mounted. */
  private static void whileSuspended(Jvmti jvmti, Consumer<Thread> call) {
    try (Parked worker = Parked.virtual()) {
      jvmti.threads().suspend(worker.thread());
      try {
        call.accept(worker.thread());
      } finally {
        jvmti.threads().resume(worker.thread());
      }
    }
  }
}
