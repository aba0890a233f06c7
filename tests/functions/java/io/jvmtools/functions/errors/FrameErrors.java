package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.DUPLICATE;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.NO_MORE_FRAMES;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.TYPE_MISMATCH;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.Spinning;
import io.jvmtools.functions.Spinning.Loop;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.stack.Frames;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stacks and frames. */
final class FrameErrors implements ErrorRows {

  /**
   * A function that has the innermost frame of a thread left, and a method for which it is wrong.
   */
  private record Leaving(String function, Of call, Function<Loop, Object> ofAnotherType) {

    interface Of {
      void on(Frames frames, Thread thread);
    }
  }

  private static final List<Leaving> RETURNS =
      List.of(
          new Leaving("ForceEarlyReturnVoid", Frames::forceReturn, Loop::anInt),
          new Leaving(
              "ForceEarlyReturnObject",
              (frames, thread) -> frames.forceReturn(thread, "an object"),
              Loop::aRelay),
          new Leaving(
              "ForceEarlyReturnInt",
              (frames, thread) -> frames.forceReturn(thread, 1),
              Loop::aLong),
          new Leaving(
              "ForceEarlyReturnLong",
              (frames, thread) -> frames.forceReturn(thread, 1L),
              Loop::anInt),
          new Leaving(
              "ForceEarlyReturnFloat",
              (frames, thread) -> frames.forceReturn(thread, 1f),
              Loop::aDouble),
          new Leaving(
              "ForceEarlyReturnDouble",
              (frames, thread) -> frames.forceReturn(thread, 1.0),
              Loop::aFloat));

  @Override
  public List<Provocation> provoked() {
    List<Provocation> rows = new ArrayList<>();
    rows.add(lists());
    RETURNS.forEach(one -> rows.addAll(of(one)));
    RETURNS.forEach(one -> rows.add(mismatch(one)));
    rows.addAll(notices());
    rows.addAll(of(new Leaving("PopFrame", Frames::pop, Loop::anInt)));
    return rows;
  }

  private static List<Provocation> of(Leaving leaving) {
    String function = leaving.function;
    return List.of(
        provoke(
            function,
            OPAQUE_FRAME,
            "a native method, as that which asks",
            jvmti -> leaving.call.on(jvmti.frames(), Thread.currentThread())),
        provoke(
            function,
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Spinning spinning = Spinning.in(Loop::anInt)) {
                leaving.call.on(jvmti.frames(), spinning.thread());
              }
            }),
        provoke(
            function,
            NO_MORE_FRAMES,
            "a thread of the JVM's that is in no method",
            jvmti ->
                whileSuspended(
                    jvmti, dispatcher(jvmti), thread -> leaving.call.on(jvmti.frames(), thread))));
  }

  private static List<Provocation> notices() {
    return List.of(
        provoke(
            "NotifyFramePop",
            OPAQUE_FRAME,
            "a native method",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                whileSuspended(
                    jvmti, worker.thread(), thread -> jvmti.frames().notifyPop(thread, 0));
              }
            }),
        provoke(
            "NotifyFramePop",
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.frames().notifyPop(worker.thread(), 1);
              }
            }),
        provoke(
                "NotifyFramePop",
                DUPLICATE,
                "a frame that is named already",
                jvmti -> {
                  try (Spinning spinning = Spinning.in(Loop::anInt)) {
                    whileSuspended(
                        jvmti,
                        spinning.thread(),
                        thread -> {
                          jvmti.frames().notifyPop(thread, 0);
                          jvmti.frames().notifyPop(thread, 0);
                        });
                  }
                })
            .from(25),
        provoke(
            "ClearAllFramePops",
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.frames().clearPops(worker.thread());
              }
            }));
  }

  private static Provocation mismatch(Leaving leaving) {
    return provoke(
        leaving.function,
        TYPE_MISMATCH,
        "a method that returns another type",
        jvmti -> {
          try (Spinning spinning = Spinning.in(leaving.ofAnotherType)) {
            whileSuspended(
                jvmti, spinning.thread(), thread -> leaving.call.on(jvmti.frames(), thread));
          }
        });
  }

  private static Thread dispatcher(Jvmti jvmti) {
    return jvmti.threads().all().stream()
        .filter(thread -> thread.getName().equals("Signal Dispatcher"))
        .findFirst()
        .orElseThrow();
  }

  private static void whileSuspended(Jvmti jvmti, Thread thread, Consumer<Thread> body) {
    jvmti.add(Capability.CAN_SUSPEND);
    jvmti.threads().suspend(thread);
    try {
      body.accept(thread);
    } finally {
      jvmti.threads().resume(thread);
    }
  }

  private static Provocation lists() {
    return nullRefused(
        "GetThreadListStackTraces",
        INVALID_THREAD,
        "threads",
        jvmti -> jvmti.frames().stackTraces(Arrays.asList(Thread.currentThread(), null)),
        new DirectAnswer(
            INVALID_THREAD,
            env ->
                FrameNatives.getThreadListStackTraces(
                    env, new Thread[] {Thread.currentThread(), null}, 1)));
  }
}
