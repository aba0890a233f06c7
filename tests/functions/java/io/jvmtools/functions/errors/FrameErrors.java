package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.DUPLICATE;
import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.NO_MORE_FRAMES;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_ALIVE;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.TYPE_MISMATCH;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.numberRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

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

  private static final int TOO_DEEP = 1_000_000;

  /**
   * A function that has the innermost frame of a thread left, and a method for which it is wrong.
   */
  private record Leaving(
      String function, Of call, Direct direct, Function<Loop, Object> ofAnotherType) {

    interface Of {
      void on(Frames frames, Thread thread);
    }

    interface Direct {
      void ask(long env);
    }
  }

  private static final List<Leaving> RETURNS =
      List.of(
          new Leaving(
              "ForceEarlyReturnVoid",
              Frames::forceReturn,
              env -> FrameNatives.forceEarlyReturnVoid(env, null),
              Loop::anInt),
          new Leaving(
              "ForceEarlyReturnObject",
              (frames, thread) -> frames.forceReturn(thread, "an object"),
              env -> FrameNatives.forceEarlyReturnObject(env, null, "an object"),
              Loop::aRelay),
          new Leaving(
              "ForceEarlyReturnInt",
              (frames, thread) -> frames.forceReturn(thread, 1),
              env -> FrameNatives.forceEarlyReturnInt(env, null, 1),
              Loop::aLong),
          new Leaving(
              "ForceEarlyReturnLong",
              (frames, thread) -> frames.forceReturn(thread, 1L),
              env -> FrameNatives.forceEarlyReturnLong(env, null, 1),
              Loop::anInt),
          new Leaving(
              "ForceEarlyReturnFloat",
              (frames, thread) -> frames.forceReturn(thread, 1f),
              env -> FrameNatives.forceEarlyReturnFloat(env, null, 1),
              Loop::aDouble),
          new Leaving(
              "ForceEarlyReturnDouble",
              (frames, thread) -> frames.forceReturn(thread, 1.0),
              env -> FrameNatives.forceEarlyReturnDouble(env, null, 1),
              Loop::aFloat));

  @Override
  public List<Provocation> provoked() {
    List<Provocation> rows = new ArrayList<>(stacks());
    RETURNS.forEach(one -> rows.addAll(of(one)));
    RETURNS.forEach(one -> rows.add(mismatch(one)));
    rows.addAll(notices());
    rows.addAll(of(new Leaving("PopFrame", Frames::pop, env -> {}, Loop::anInt)));
    rows.add(
        nullRefused(
            "PopFrame",
            INVALID_THREAD,
            "thread",
            jvmti -> jvmti.frames().pop(null),
            new DirectAnswer(INVALID_THREAD, env -> FrameNatives.popFrame(env, null))));
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
                    jvmti, dispatcher(jvmti), thread -> leaving.call.on(jvmti.frames(), thread))),
        provoke(
            function,
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> leaving.call.on(jvmti.frames(), Parked.ended())),
        withoutCapability(
            function, jvmti -> leaving.call.on(jvmti.frames(), Thread.currentThread())));
  }

  private static List<Provocation> notices() {
    Thread me = Thread.currentThread();
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
            "NotifyFramePop",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.frames().notifyPop(Parked.ended(), 0)),
        provoke(
            "NotifyFramePop",
            NO_MORE_FRAMES,
            "a depth below the stack",
            jvmti -> jvmti.frames().notifyPop(Thread.currentThread(), TOO_DEEP)),
        numberRefused(
            "NotifyFramePop",
            ILLEGAL_ARGUMENT,
            "a negative depth",
            "depth must not be negative: -1",
            jvmti -> jvmti.frames().notifyPop(me, -1),
            new DirectAnswer(ILLEGAL_ARGUMENT, env -> FrameNatives.notifyFramePop(env, null, -1))),
        withoutCapability("NotifyFramePop", jvmti -> jvmti.frames().notifyPop(me, 0)),
        provoke(
            "ClearAllFramePops",
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.frames().clearPops(worker.thread());
              }
            }),
        provoke(
            "ClearAllFramePops",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.frames().clearPops(Parked.ended())),
        withoutCapability("ClearAllFramePops", jvmti -> jvmti.frames().clearPops(me)));
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

  @Override
  public List<Impossible> impossible() {
    List<Impossible> rows = new ArrayList<>();
    rows.add(
        Impossible.impossible(
            INVALID_THREAD,
            Implied.ONLY_THREADS,
            "NotifyFramePop",
            // The innermost frame is that of the native which asks.
            new DirectAnswer(OPAQUE_FRAME, env -> FrameNatives.notifyFramePop(env, null, 0))));
    for (Leaving one : RETURNS) {
      rows.add(
          Impossible.impossible(
              INVALID_THREAD,
              Implied.ONLY_THREADS,
              one.function,
              new DirectAnswer(OPAQUE_FRAME, env -> one.direct.ask(env))));
    }
    return Impossible.both(
        rows,
        Impossible.impossible(
            INVALID_OBJECT,
            "A reference of Java's is to an object, or null, which is a value here.",
            "ForceEarlyReturnObject"));
  }

  private static List<Provocation> stacks() {
    return List.of(
        provoke(
            "GetStackTrace",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.frames().stackTrace(Parked.ended())),
        provoke(
            "GetStackTrace",
            ILLEGAL_ARGUMENT,
            "a start below the stack",
            jvmti -> jvmti.frames().stackTrace(Thread.currentThread(), TOO_DEEP, 1)),
        provoke(
            "GetFrameCount",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.frames().count(Parked.ended())),
        provoke(
            "GetFrameLocation",
            THREAD_NOT_ALIVE,
            "a thread that has ended",
            jvmti -> jvmti.frames().at(Parked.ended(), 0)),
        provoke(
            "GetFrameLocation",
            NO_MORE_FRAMES,
            "a depth below the stack",
            jvmti -> jvmti.frames().at(Thread.currentThread(), TOO_DEEP)),
        numberRefused(
            "GetFrameLocation",
            ILLEGAL_ARGUMENT,
            "a negative depth",
            "depth must not be negative: -1",
            jvmti -> jvmti.frames().at(Thread.currentThread(), -1),
            new DirectAnswer(
                ILLEGAL_ARGUMENT, env -> FrameNatives.getFrameLocation(env, null, -1))),
        numberRefused(
            "GetAllStackTraces",
            ILLEGAL_ARGUMENT,
            "a negative number of frames",
            "maxFrames must be positive: -1",
            jvmti -> jvmti.frames().allStackTraces(-1),
            new DirectAnswer(ILLEGAL_ARGUMENT, env -> FrameNatives.getAllStackTraces(env, -1))),
        numberRefused(
            "GetThreadListStackTraces",
            ILLEGAL_ARGUMENT,
            "a negative number of frames",
            "maxFrames must be positive: -1",
            jvmti -> jvmti.frames().stackTraces(List.of(Thread.currentThread()), -1),
            new DirectAnswer(
                ILLEGAL_ARGUMENT,
                env ->
                    FrameNatives.getThreadListStackTraces(
                        env, new Thread[] {Thread.currentThread()}, -1))),
        nullRefused(
            "GetThreadListStackTraces",
            NULL_POINTER,
            "threads",
            jvmti -> jvmti.frames().stackTraces(null, 1)),
        nullRefused(
            "GetThreadListStackTraces",
            INVALID_THREAD,
            "threads",
            jvmti -> jvmti.frames().stackTraces(Arrays.asList(Thread.currentThread(), null)),
            new DirectAnswer(
                INVALID_THREAD,
                env ->
                    FrameNatives.getThreadListStackTraces(
                        env, new Thread[] {Thread.currentThread(), null}, 1))));
  }
}
