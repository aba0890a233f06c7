package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.UNSUPPORTED_OPERATION;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.JvmtiException;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Parked;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Timers. */
final class TimerErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
                "GetCurrentThreadCpuTime",
                UNSUPPORTED_OPERATION,
                "on a virtual thread",
                jvmti -> onVirtualThread(jvmti.timers()::currentThreadCpuTime))
            .from(21),
        provoke(
                "GetThreadCpuTime",
                UNSUPPORTED_OPERATION,
                "a virtual thread",
                jvmti -> {
                  try (Parked worker = Parked.virtual()) {
                    jvmti.timers().threadCpuTime(worker.thread());
                  }
                })
            .from(21));
  }

  private static void onVirtualThread(Runnable call) {
    CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
    VirtualThreads.start(
        "asks",
        () -> {
          try {
            call.run();
            answer.complete(null);
          } catch (JvmtiException refusal) {
            answer.completeExceptionally(refusal);
          }
        });
    try {
      answer.join();
    } catch (CompletionException e) {
      throw (JvmtiException) e.getCause();
    }
  }
}
