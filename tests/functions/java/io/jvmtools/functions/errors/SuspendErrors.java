package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_PRIORITY;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_TYPESTATE;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.UNSUPPORTED_OPERATION;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.numberRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.support.Parked;
import java.util.List;
import java.util.stream.Stream;

/** Threads: suspension, and agent threads. */
final class SuspendErrors implements ErrorRows {

  private static final int NO_PRIORITY = 11;
  private static final Runnable BODY = () -> {};

  @Override
  public List<Provocation> provoked() {
    return Stream.of(one(), allVirtual(), agentThreads()).flatMap(List::stream).toList();
  }

  @Override
  public List<Impossible> impossible() {
    return Impossible.impossible(
        INVALID_TYPESTATE,
        "It stands for a thread whose state is inconsistent; nothing in Java makes one.",
        "ResumeThread");
  }

  private static List<Provocation> one() {
    return List.of(
        provoke(
            "SuspendThread",
            THREAD_SUSPENDED,
            "a thread that is suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.threads().suspend(worker.thread());
                try {
                  jvmti.threads().suspend(worker.thread());
                } finally {
                  jvmti.threads().resume(worker.thread());
                }
              }
            }),
        provoke(
            "ResumeThread",
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.threads().resume(worker.thread());
              }
            }));
  }

  private static List<Provocation> allVirtual() {
    return List.of(
        provoke(
            "SuspendAllVirtualThreads",
            INVALID_THREAD,
            "a platform thread among the excepted ones",
            jvmti -> jvmti.threads().suspendAllVirtual(Thread.currentThread())),
        nullRefused(
            "SuspendAllVirtualThreads",
            NULL_POINTER,
            "except",
            jvmti -> jvmti.threads().suspendAllVirtual((Thread[]) null)),
        provoke(
            "ResumeAllVirtualThreads",
            INVALID_THREAD,
            "a platform thread among the excepted ones",
            jvmti -> jvmti.threads().resumeAllVirtual(Thread.currentThread())),
        nullRefused(
            "ResumeAllVirtualThreads",
            NULL_POINTER,
            "except",
            jvmti -> jvmti.threads().resumeAllVirtual((Thread[]) null)));
  }

  private static List<Provocation> agentThreads() {
    return List.of(
        numberRefused(
            "RunAgentThread",
            INVALID_PRIORITY,
            "a priority that there is not",
            "priority must be from 1 to 10: 11",
            jvmti -> jvmti.threads().runAgentThread(Parked.unstarted(), BODY, NO_PRIORITY),
            new DirectAnswer(
                INVALID_PRIORITY,
                env -> ThreadNatives.runAgentThread(env, Parked.unstarted(), BODY, NO_PRIORITY))),
        provoke(
                "RunAgentThread",
                UNSUPPORTED_OPERATION,
                "a virtual thread",
                jvmti ->
                    jvmti
                        .threads()
                        .runAgentThread(
                            VirtualThreads.unstarted("virtual"), BODY, Thread.NORM_PRIORITY))
            .from(21),
        provoke(
            "RunAgentThread",
            INVALID_THREAD,
            "a thread that runs",
            jvmti ->
                jvmti.threads().runAgentThread(Thread.currentThread(), BODY, Thread.NORM_PRIORITY)),
        nullRefused(
            "RunAgentThread",
            NULL_POINTER,
            "body",
            jvmti ->
                jvmti.threads().runAgentThread(Parked.unstarted(), null, Thread.NORM_PRIORITY)));
  }
}
