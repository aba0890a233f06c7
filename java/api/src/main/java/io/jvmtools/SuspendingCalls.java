package io.jvmtools;

import io.jvmtools.thread.Threads;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the static door does while it has {@link Capability#CAN_SUSPEND}. Linked by the first of
 * them, which is hardly one that resumes: linking could wait for a suspended thread.
 */
final class SuspendingCalls {

  static final Call<Thread, @Nullable Void> SUSPEND = nothing(Threads::suspend);
  static final Call<Thread, @Nullable Void> RESUME = nothing(Threads::resume);
  static final Call<Collection<Thread>, Map<Thread, JvmtiError>> SUSPEND_LIST = Threads::suspend;
  static final Call<Collection<Thread>, Map<Thread, JvmtiError>> RESUME_LIST = Threads::resume;
  static final Call<Thread[], @Nullable Void> SUSPEND_ALL_VIRTUAL =
      nothing(Threads::suspendAllVirtual);
  static final Call<Thread[], @Nullable Void> RESUME_ALL_VIRTUAL =
      nothing(Threads::resumeAllVirtual);

  private SuspendingCalls() {}

  static <A, R extends @Nullable Object> R make(Call<A, R> call, A argument) {
    return DefaultEnvironment.borrowing(Capability.CAN_SUSPEND, new Asked<>(call, argument));
  }

  /** A call of {@link Threads} that needs the capability. */
  interface Call<A, R extends @Nullable Object> {
    R on(Threads threads, A argument);
  }

  private static <A> Call<A, @Nullable Void> nothing(BiConsumer<Threads, A> call) {
    return (threads, argument) -> {
      call.accept(threads, argument);
      return null;
    };
  }

  private record Asked<A, R extends @Nullable Object>(Call<A, R> call, A argument)
      implements Function<Jvmti, R> {
    @Override
    public R apply(Jvmti jvmti) {
      return call.on(jvmti.threads(), argument);
    }
  }
}
