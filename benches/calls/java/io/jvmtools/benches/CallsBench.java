package io.jvmtools.benches;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.objects.HeapNatives;
import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.ThreadNatives;

/**
 * Short calls, which cost little more than the way there: our native and our public method against
 * an agent in C that makes the same call in an environment of its own.
 */
public final class CallsBench {

  /** A power of two, so few that they stay in the cache. */
  private static final int OBJECTS = 64;

  private static final Object[] HOT = new Object[OBJECTS];

  private final CallRace calls;
  private final long env;

  private CallsBench(CallRace calls, long env) {
    this.calls = calls;
    this.env = env;
  }

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    CallsC.open();
    Report report = new Report("calls", args);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND, Capability.CAN_ACCESS_LOCAL_VARIABLES)) {
      long env = GeneralNatives.open(jvmti);
      // can_tag_objects, can_get_current_thread_cpu_time, can_get_thread_cpu_time
      CapabilitiesNatives.addCapabilities(env, 1L | 1L << 22 | 1L << 23);
      CallRace calls = new CallRace(report);
      CallsBench bench = new CallsBench(calls, env);
      DeepThreads.during(
          1,
          10,
          threads -> {
            Thread other = threads.get(0);
            bench.threads(other);
            bench.tags();
            bench.timers(other);
            new CodeCalls(calls, jvmti).run(other);
          });
      GeneralNatives.close(env);
    }
    new ListCalls(report).run();
  }

  private void threads(Thread other) throws Exception {
    calls.race(
        "GetThreadState, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = ThreadNatives.getThreadState(env, other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getThreadState(other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getThreadState(other).bits();
          }
        });
    calls.race(
        "GetThreadState, own thread",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = ThreadNatives.getThreadState(env, null);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getThreadState(null);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getThreadState(Thread.currentThread()).bits();
          }
        });
  }

  private void tags() throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      HOT[i] = new Object();
      HeapNatives.setTag(env, HOT[i], i + 1);
      CallsC.setTag(HOT[i], i + 1);
      JvmTools.setTag(HOT[i], i + 1);
    }
    calls.race(
        "GetTag",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = HeapNatives.getTag(env, HOT[i & (OBJECTS - 1)]);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getTag(HOT[i & (OBJECTS - 1)]);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getTag(HOT[i & (OBJECTS - 1)]);
          }
        });
    calls.race(
        "SetTag",
        times -> {
          for (int i = 0; i < times; i++) {
            HeapNatives.setTag(env, HOT[i & (OBJECTS - 1)], i + 1);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallsC.setTag(HOT[i & (OBJECTS - 1)], i + 1);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            JvmTools.setTag(HOT[i & (OBJECTS - 1)], i + 1);
          }
        });
  }

  private void timers(Thread other) throws Exception {
    calls.race(
        "GetTime",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = TimerNatives.getTime(env);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getTime();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getTimeNanos();
          }
        });
    calls.race(
        "GetCurrentThreadCpuTime",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = TimerNatives.getCurrentThreadCpuTime(env);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getCurrentThreadCpuTime();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getCurrentThreadCpuTimeNanos();
          }
        });
    calls.race(
        "GetThreadCpuTime, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = TimerNatives.getThreadCpuTime(env, other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = CallsC.getThreadCpuTime(other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            CallRace.sink = JvmTools.getThreadCpuTimeNanos(other);
          }
        });
  }
}
