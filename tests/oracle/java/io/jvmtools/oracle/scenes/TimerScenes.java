package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** Timers. */
final class TimerScenes implements Scenes {

  private final Notes notes;
  private final Observer.Source source;

  TimerScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    Observer observer = source.open("can_get_thread_cpu_time", "can_get_current_thread_cpu_time");
    timers(observer);
    notes.answer(observer::disposeEnvironment);
  }

  private void timers(Observer observer) {
    notes.note("GetTimerInfo.plain", observer::getTimerInfo);
    notes.note("GetThreadCpuTimerInfo.plain", observer::getThreadCpuTimerInfo);
    notes.note("GetCurrentThreadCpuTimerInfo.plain", observer::getCurrentThreadCpuTimerInfo);
    notes.note("GetAvailableProcessors.plain", observer::getAvailableProcessors);
    notes.grows("GetTime.passes", observer::getTime, TimerScenes::work);
    notes.note("GetTime.betweenNanoTimes", () -> between(observer));
    notes.grows(
        "GetCurrentThreadCpuTime.passes", observer::getCurrentThreadCpuTime, TimerScenes::work);
    Thread current = Thread.currentThread();
    notes.grows(
        "GetThreadCpuTime.passes", () -> observer.getThreadCpuTime(current), TimerScenes::work);
    if (Virtual.isHere()) {
      Virtual.run(
          () -> {
            notes.note(
                "GetCurrentThreadCpuTime.virtual",
                () -> Call.anyNumber(observer.getCurrentThreadCpuTime()));
            notes.note(
                "GetCurrentThreadCpuTimerInfo.virtual", observer::getCurrentThreadCpuTimerInfo);
          });
    }
  }

  private static String between(Observer observer) {
    long before = System.nanoTime();
    String answer = observer.getTime();
    long after = System.nanoTime();
    long time = Long.parseLong(answer);
    return String.valueOf(before <= time && time <= after);
  }

  /** Takes longer than any timer's tick. */
  private static void work() {
    long until = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }
}
