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
    at(text, where(waiter).or(waiter.stack()::top));
    if (where(waiter).isEmpty()) {
      deeper(text, waiter);
    }
    boolean isClass = waiter.waitsFor().filter(DumpedWait::isForAClass).isPresent();
    text.append(NL).append(isClass ? "  which is initialized by " : "  which is held by ");
    text.append(holder.asName());
    Optional<StackFrame> got =
        lock.flatMap(
            wanted -> isClass ? whereInitialized(holder, wanted) : whereLocked(holder, wanted));
    at(text, got);
    if (got.isEmpty()) {
      deeper(text, holder);
    }
  }

  private static void at(StringBuilder text, Optional<StackFrame> frame) {
    frame.ifPresent(f -> text.append(NL).append("\tat ").append(f));
  }

  /** What would be here may be in frames that nobody has asked for. */
  private static void deeper(StringBuilder text, DumpedThread thread) {
    text.append(thread.hasMoreFrames() ? NL + DumpText.DEEPER : "");
  }

  private static Optional<StackFrame> where(DumpedThread waiter) {
    return waiter.stack().stream()
        .filter(frame -> !frame.module().equals(Optional.of(MACHINERY)))
        .findFirst();
  }

  private static Optional<StackFrame> whereInitialized(DumpedThread holder, DumpedLock type) {
    return holder.stack().stream()
        .filter(frame -> frame.methodName().equals(Initializations.INITIALIZER))
        .filter(frame -> type.mirrored().equals(Optional.of(frame.className())))
        .findFirst();
  }

  private static Optional<StackFrame> whereLocked(DumpedThread holder, DumpedLock lock) {
    return holder.frames().stream()
        .filter(frame -> frame.monitors().contains(lock))
        .map(DumpedFrame::frame)
        .findFirst();
  }
}
