package io.jvmtools.benches;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;

import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.code.ModuleNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.objects.MonitorNatives;
import io.jvmtools.internal.objects.ObjectNatives;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.LocalNatives;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.StackFrame;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

/** Calls about frames, variables, classes and their members, objects, monitors and breakpoints. */
final class CodeCalls {

  private static final Class<?> TYPE = java.util.ArrayDeque.class;
  private static final Module MODULE = TYPE.getModule();
  private static final Object OBJECT = new Object();
  private static final Runnable EMPTY = () -> {};
  private static final Supplier<Object> ANSWER = () -> OBJECT;

  private final CallRace calls;
  private final Jvmti jvmti;
  private final long env;

  CodeCalls(CallRace calls, Jvmti jvmti) {
    this.calls = calls;
    this.jvmti = jvmti;
    this.env = GeneralNatives.open(jvmti);
    CapabilitiesNatives.addCapabilities(env, 1L << CAN_ACCESS_LOCAL_VARIABLES.ordinal());
  }

  void run(Thread other) throws Exception {
    Method reflected = TYPE.getMethod("size");
    Field reflectedField = TYPE.getDeclaredField("head");
    CallsC.about(reflected, reflectedField);
    jvmti.threads().suspend(other);
    frames(other);
    jvmti.threads().resume(other);
    code(JvmMethod.of(reflected), JvmField.of(reflectedField));
    places(JvmMethod.of(reflected), JvmField.of(reflectedField));
    GeneralNatives.close(env);
  }

  private void frames(Thread other) throws Exception {
    LocalVariable variable = null;
    int depth = 0;
    for (StackFrame frame : jvmti.frames().stackTrace(other)) {
      List<LocalVariable> ints =
          frame.isNative()
              ? List.of()
              : jvmti.locals().all(frame).stream().filter(v -> v.signature().equals("I")).toList();
      if (variable == null && !ints.isEmpty()) {
        variable = ints.get(0);
        depth = frame.depth();
      }
    }
    local(other, depth, variable.slot());
  }

  private void local(Thread other, int depth, int slot) throws Exception {
    calls.race(
        "GetFrameCount, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = FrameNatives.getFrameCount(env, other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getFrameCount(other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.frames().count(other);
          }
        });
    calls.race(
        "GetLocalInt, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = LocalNatives.getLocalInt(env, other, depth, slot);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getLocalInt(other, depth, slot);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.locals().intAt(other, depth, slot);
          }
        });
  }

  private void code(JvmMethod method, JvmField field) throws Exception {
    long methodId = CallsC.methodId();
    long fieldId = CallsC.fieldId();
    long monitor = MonitorNatives.createRawMonitor(env, this, "benches");
    RawMonitor rawMonitor = jvmti.rawMonitors().create("benches");
    calls.race(
        "GetObjectHashCode",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = ObjectNatives.getObjectHashCode(env, OBJECT);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getObjectHashCode(OBJECT);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.objects().identityHash(OBJECT);
          }
        });
    calls.race(
        "GetClassModifiers",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = ClassNatives.getClassModifiers(env, TYPE);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getClassModifiers(TYPE);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.classes().modifiers(TYPE);
          }
        });
    calls.race(
        "GetMethodModifiers",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = MethodNatives.getMethodModifiers(env, TYPE, methodId);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getMethodModifiers();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.methods().modifiers(method);
          }
        });
    calls.race(
        "GetFieldModifiers",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = FieldNatives.getFieldModifiers(env, TYPE, fieldId);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getFieldModifiers(TYPE);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.fields().modifiers(field);
          }
        });
    calls.race(
        "IsModifiableModule",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = ModuleNatives.isModifiableModule(env, MODULE) ? 1 : 0;
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.isModifiableModule(MODULE) ? 1 : 0;
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.modules().isModifiable(MODULE) ? 1 : 0;
          }
        });
    calls.race(
        "GetPhase",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = GeneralNatives.getPhase(env);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getPhase();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = jvmti.phase().ordinal();
          }
        });
    calls.race(
        "RawMonitorEnter and Exit",
        times -> {
          for (int i = 0; i < times; i++) {
            MonitorNatives.rawMonitorEnter(env, monitor, EMPTY);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallsC.whileEntered(EMPTY);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.kept = rawMonitor.hold(ANSWER);
          }
        });
  }

  /** One after the other, for only one of them can do so at a time. */
  private void places(JvmMethod method, JvmField field) throws Exception {
    CallsC.holdPlaces(true);
    Figure breakpoint = calls.alone("agent in C", CallsC::setAndClearBreakpoint);
    Figure watch = calls.alone("agent in C", () -> CallsC.setAndClearWatch(TYPE));
    CallsC.holdPlaces(false);
    jvmti.add(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_GENERATE_FIELD_ACCESS_EVENTS);
    calls.compareAlone(
        "SetBreakpoint and Clear",
        breakpoint,
        () -> {
          jvmti.breakpoints().set(method, 0);
          jvmti.breakpoints().clear(method, 0);
        });
    calls.compareAlone(
        "SetFieldAccessWatch and Clear",
        watch,
        () -> {
          jvmti.watches().setReads(field);
          jvmti.watches().clearReads(field);
        });
  }
}
