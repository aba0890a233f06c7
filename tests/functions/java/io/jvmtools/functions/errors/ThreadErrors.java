package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD_GROUP;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_ALIVE;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.thread.ThreadGroupNatives;
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
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().stop(Parked.ended(), EXCEPTION)),
        provoke(
            "StopThread",
            THREAD_NOT_ALIVE,
            "a thread that was not started",
            jvmti -> jvmti.threads().stop(Parked.unstarted(), EXCEPTION)),
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
                NULL_POINTER, env -> ThreadNatives.stopThread(env, Thread.currentThread(), null))),
        nullRefused(
            "StopThread",
            INVALID_THREAD,
            "thread",
            jvmti -> jvmti.threads().stop(null, EXCEPTION),
            new DirectAnswer(
                INVALID_THREAD, env -> ThreadNatives.stopThread(env, null, EXCEPTION))),
        withoutCapability(
            "StopThread", jvmti -> jvmti.threads().stop(Thread.currentThread(), EXCEPTION)),
        provoke(
            "InterruptThread",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().interrupt(Parked.ended())),
        provoke(
            "InterruptThread",
            THREAD_NOT_ALIVE,
            "a thread that was not started",
            jvmti -> jvmti.threads().interrupt(Parked.unstarted())),
        nullRefused(
            "InterruptThread",
            INVALID_THREAD,
            "thread",
            jvmti -> jvmti.threads().interrupt(null),
            new DirectAnswer(INVALID_THREAD, env -> ThreadNatives.interruptThread(env, null))),
        withoutCapability(
            "InterruptThread", jvmti -> jvmti.threads().interrupt(Thread.currentThread())),
        provoke(
            "GetOwnedMonitorInfo",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().ownedMonitorObjects(Parked.ended())),
        withoutCapability(
            "GetOwnedMonitorInfo",
            jvmti -> jvmti.threads().ownedMonitorObjects(Thread.currentThread())),
        provoke(
            "GetOwnedMonitorStackDepthInfo",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().ownedMonitors(Parked.ended())),
        withoutCapability(
            "GetOwnedMonitorStackDepthInfo",
            jvmti -> jvmti.threads().ownedMonitors(Thread.currentThread())),
        provoke(
            "GetCurrentContendedMonitor",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().contendedMonitor(Parked.ended())),
        withoutCapability(
            "GetCurrentContendedMonitor",
            jvmti -> jvmti.threads().contendedMonitor(Thread.currentThread())),
        provoke(
            "GetThreadLocalStorage",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().localStorage(Parked.ended())),
        provoke(
            "SetThreadLocalStorage",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.threads().setLocalStorage(Parked.ended(), 1)),
        nullRefused(
            "GetThreadGroupInfo",
            INVALID_THREAD_GROUP,
            "group",
            jvmti -> jvmti.threadGroups().info(null),
            new DirectAnswer(
                INVALID_THREAD_GROUP, env -> ThreadGroupNatives.getThreadGroupInfo(env, null))),
        nullRefused(
            "GetThreadGroupChildren",
            INVALID_THREAD_GROUP,
            "group",
            jvmti -> jvmti.threadGroups().children(null),
            new DirectAnswer(
                INVALID_THREAD_GROUP,
                env -> ThreadGroupNatives.getThreadGroupChildren(env, null))));
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
