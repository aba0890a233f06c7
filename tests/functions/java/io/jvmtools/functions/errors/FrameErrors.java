package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.NO_MORE_FRAMES;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_ALIVE;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.numberRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.support.Parked;
import java.util.Arrays;
import java.util.List;

/** Stacks and frames. */
final class FrameErrors implements ErrorRows {

  private static final int TOO_DEEP = 1_000_000;

  @Override
  public List<Provocation> provoked() {
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
