package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_METHODID;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_SLOT;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.TYPE_MISMATCH;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Traces;
import io.jvmtools.stack.Locals;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Local variables. */
final class LocalErrors implements ErrorRows {

  private static final int NO_SLOT = 99;

  /**
   * A function with a slot. A call on the calling thread finds at depth 0 the body of the lambda
   * that makes it, whose parameters are the variables.
   */
  private record Access(String function, Of call, int slotOfAnotherType) {

    interface Of {
      void on(Locals locals, Thread thread, int depth, int slot);
    }
  }

  /** The slots of parameters of a call's body. */
  private static final int LOCALS = 0;

  private static final int DEPTH = 2;

  private static final List<Access> ALL =
      List.of(
          new Access(
              "GetLocalObject",
              (locals, thread, depth, slot) -> locals.objectAt(thread, depth, slot),
              DEPTH),
          new Access(
              "GetLocalInt",
              (locals, thread, depth, slot) -> locals.intAt(thread, depth, slot),
              LOCALS),
          new Access(
              "GetLocalLong",
              (locals, thread, depth, slot) -> locals.longAt(thread, depth, slot),
              DEPTH),
          new Access(
              "GetLocalFloat",
              (locals, thread, depth, slot) -> locals.floatAt(thread, depth, slot),
              LOCALS),
          new Access(
              "GetLocalDouble",
              (locals, thread, depth, slot) -> locals.doubleAt(thread, depth, slot),
              DEPTH),
          new Access(
              "SetLocalObject",
              (locals, thread, depth, slot) -> locals.setObjectAt(thread, depth, slot, "other"),
              DEPTH),
          new Access(
              "SetLocalInt",
              (locals, thread, depth, slot) -> locals.setIntAt(thread, depth, slot, 1),
              LOCALS),
          new Access(
              "SetLocalLong",
              (locals, thread, depth, slot) -> locals.setLongAt(thread, depth, slot, 1),
              DEPTH),
          new Access(
              "SetLocalFloat",
              (locals, thread, depth, slot) -> locals.setFloatAt(thread, depth, slot, 1),
              LOCALS),
          new Access(
              "SetLocalDouble",
              (locals, thread, depth, slot) -> locals.setDoubleAt(thread, depth, slot, 1),
              DEPTH));

  @Override
  public List<Provocation> provoked() {
    List<Provocation> rows = new ArrayList<>();
    ALL.forEach(access -> rows.addAll(of(access)));
    rows.addAll(ofTheReceiver());
    rows.addAll(ofTheTable());
    return rows;
  }

  private static List<Provocation> of(Access access) {
    String function = access.function;
    return List.of(
        provoke(
            function,
            INVALID_SLOT,
            "a slot that the method does not have",
            jvmti -> access.call.on(jvmti.locals(), Thread.currentThread(), 0, NO_SLOT)),
        provoke(
            function,
            TYPE_MISMATCH,
            "a variable of another type",
            jvmti ->
                access.call.on(
                    jvmti.locals(), Thread.currentThread(), 0, access.slotOfAnotherType)),
        provoke(
            function,
            OPAQUE_FRAME,
            "a native method",
            jvmti -> whileSuspended(jvmti, thread -> access.call.on(jvmti.locals(), thread, 0, 0))),
        provoke(
            function,
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                access.call.on(jvmti.locals(), worker.thread(), 1, 0);
              }
            }));
  }

  private static List<Provocation> ofTheReceiver() {
    String function = "GetLocalInstance";
    return List.of(
        answeredAsEmpty(
            function,
            INVALID_SLOT,
            "a static method",
            jvmti -> jvmti.locals().instance(Thread.currentThread(), 0)),
        provoke(
            function,
            THREAD_NOT_SUSPENDED,
            "a thread that is not suspended",
            jvmti -> {
              try (Parked worker = Parked.inPark()) {
                jvmti.locals().instance(worker.thread(), 1);
              }
            }));
  }

  private static List<Provocation> ofTheTable() {
    String function = "GetLocalVariableTable";
    return List.of(
        answeredAsEmpty(
            function,
            ABSENT_INFORMATION,
            "a class that was compiled without",
            jvmti -> jvmti.locals().table(withoutVariables(jvmti))),
        provoke(
            function,
            INVALID_METHODID,
            "a method of a class that has been unloaded",
            jvmti -> jvmti.locals().table(unloaded(jvmti))));
  }

  private static JvmMethod withoutVariables(Jvmti jvmti) {
    Map<String, String> names = Map.of("LocalVariableTable", "Unknown");
    byte[] file = ClassFiles.renamed(ClassFiles.of(Relay.class), names);
    return relayed(jvmti, new ClassFiles.Loader("without variables"), file);
  }

  private static JvmMethod unloaded(Jvmti jvmti) throws InterruptedException {
    AtomicReference<JvmMethod> method = new AtomicReference<>();
    AtomicReference<WeakReference<ClassLoader>> gone = new AtomicReference<>();
    // No frame of this thread keeps the loader.
    Thread thread =
        new Thread(
            () -> {
              ClassFiles.Loader loader = new ClassFiles.Loader("short-lived");
              gone.set(new WeakReference<>(loader));
              method.set(relayed(jvmti, loader, ClassFiles.of(Relay.class)));
            });
    thread.start();
    thread.join();
    GcUntil.cleared(gone.get());
    return method.get();
  }

  /** The method of a copy of {@link Relay}. */
  private static JvmMethod relayed(Jvmti jvmti, ClassFiles.Loader loader, byte[] file) {
    AtomicReference<JvmMethod> method = new AtomicReference<>();
    Runnable look =
        () ->
            method.set(
                Traces.frames(jvmti.frames().stackTrace(Thread.currentThread()), "pass")
                    .get(0)
                    .method());
    loader.relay(file, look).run();
    return method.get();
  }

  private interface Body {
    void with(Thread thread);
  }

  private static void whileSuspended(Jvmti jvmti, Body body) {
    jvmti.add(Capability.CAN_SUSPEND);
    try (Parked worker = Parked.inPark()) {
      jvmti.threads().suspend(worker.thread());
      try {
        body.with(worker.thread());
      } finally {
        jvmti.threads().resume(worker.thread());
      }
    }
  }
}
