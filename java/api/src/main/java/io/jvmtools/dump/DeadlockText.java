package io.jvmtools.dump;

import io.jvmtools.stack.StackFrame;
import java.util.List;
import java.util.Optional;

/** Deadlocks in words. */
final class DeadlockText {

  private static final String NL = System.lineSeparator();

  /** Where the JDK waits for a lock on behalf of the code that wanted it. */
  private static final String MACHINERY = "java.base";

  private DeadlockText() {}

  static void append(StringBuilder text, List<Deadlock> deadlocks) {
    int count = deadlocks.size();
    text.append("Found ").append(count).append(count == 1 ? " deadlock:" : " deadlocks:");
    for (Deadlock deadlock : deadlocks) {
      text.append(NL).append(NL);
      append(text, deadlock);
    }
  }

  static String of(Deadlock deadlock) {
    StringBuilder text = new StringBuilder();
    append(text, deadlock);
    return text.toString();
  }

  private static void append(StringBuilder text, Deadlock deadlock) {
    List<DumpedThread> threads = deadlock.threads();
    text.append(threads.size()).append(" threads wait for each other:");
    for (int i = 0; i < threads.size(); i++) {
      append(text, threads.get(i), threads.get((i + 1) % threads.size()));
    }
  }

  private static void append(StringBuilder text, DumpedThread waiter, DumpedThread holder) {
    Optional<DumpedLock> lock = waiter.waitsFor().flatMap(DumpedWait::lock);
    text.append(NL).append(waiter.asName());
    waiter.waitsFor().ifPresent(wait -> text.append(" is ").append(wait.withoutOwner()));
    at(text, where(waiter));
    text.append(NL).append("  which is held by ").append(holder.asName());
    at(text, lock.flatMap(wanted -> whereLocked(holder, wanted)));
  }

  private static void at(StringBuilder text, Optional<StackFrame> frame) {
    frame.ifPresent(f -> text.append(NL).append("\tat ").append(f));
  }

  private static Optional<StackFrame> where(DumpedThread waiter) {
    return waiter.stack().stream()
        .filter(frame -> !frame.module().equals(Optional.of(MACHINERY)))
        .findFirst()
        .or(waiter.stack()::top);
  }

  private static Optional<StackFrame> whereLocked(DumpedThread holder, DumpedLock lock) {
    return holder.frames().stream()
        .filter(frame -> frame.monitors().contains(lock))
        .map(DumpedFrame::frame)
        .findFirst();
  }
}
