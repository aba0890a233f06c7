package io.jvmtools.benches;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.object.HeapNatives;
import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.ThreadNatives;
import java.util.List;

/**
 * Short calls, which cost little more than the way there: our native and our public method against
 * an agent in C that makes the same call in an environment of its own.
 */
public final class CallsBench {

  /** A power of two, so few that they stay in the cache. */
  private static final int OBJECTS = 64;

  private static final Object[] HOT = new Object[OBJECTS];
  private static final Limit LIMIT = Limit.atMostMore(5);

  /** Where answers go. */
  private static volatile long sink;

  private final Report report;
  private final long env;

  private CallsBench(Report report, long env) {
    this.report = report;
    this.env = env;
  }

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    CallsC.open();
    try (Jvmti jvmti = Jvmti.open()) {
      long env = GeneralNatives.open(jvmti);
      // can_tag_objects, can_get_current_thread_cpu_time, can_get_thread_cpu_time
      CapabilitiesNatives.addCapabilities(env, 1L | 1L << 22 | 1L << 23);
      CallsBench bench = new CallsBench(new Report("calls", args), env);
      DeepThreads.during(
          1,
          10,
          threads -> {
            bench.threads(threads.get(0));
            bench.tags();
            bench.timers(threads.get(0));
          });
      GeneralNatives.close(env);
    }
  }

  private void threads(Thread other) throws Exception {
    race(
        "GetThreadState, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = ThreadNatives.getThreadState(env, other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getThreadState(other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getThreadState(other).bits();
          }
        });
    race(
        "GetThreadState, own thread",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = ThreadNatives.getThreadState(env, null);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getThreadState(null);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getThreadState(Thread.currentThread()).bits();
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
    race(
        "GetTag",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = HeapNatives.getTag(env, HOT[i & (OBJECTS - 1)]);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getTag(HOT[i & (OBJECTS - 1)]);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getTag(HOT[i & (OBJECTS - 1)]);
          }
        });
    race(
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
    race(
        "GetTime",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = TimerNatives.getTime(env);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getTime();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getTimeNanos();
          }
        });
    race(
        "GetCurrentThreadCpuTime",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = TimerNatives.getCurrentThreadCpuTime(env);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getCurrentThreadCpuTime();
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getCurrentThreadCpuTimeNanos();
          }
        });
    race(
        "GetThreadCpuTime, other thread",
        times -> {
          for (int i = 0; i < times; i++) {
            sink = TimerNatives.getThreadCpuTime(env, other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = CallsC.getThreadCpuTime(other);
          }
        },
        times -> {
          for (int i = 0; i < times; i++) {
            sink = JvmTools.getThreadCpuTimeNanos(other);
          }
        });
  }

  /** The limit is the bridge's, so it is the native that has to keep it. */
  private void race(String subject, Body ours, Body c, Body api) throws Exception {
    List<Figure> figures =
        Race.run(
            Stopwatch.THREAD,
            new Contestant("native", ours),
            new Contestant("agent in C", c),
            new Contestant("JvmTools", api));
    report.compare(subject, figures.get(0), figures.get(1), LIMIT);
    report.compare(subject, figures.get(2), figures.get(1), null);
  }
}
