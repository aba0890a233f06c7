package io.jvmtools.thread;

import org.jspecify.annotations.Nullable;

/**
 * What is done while threads are suspended.
 *
 * <p>A suspended thread keeps its locks. An action that needs one of them waits until the deadline:
 * it had better not print, load classes, log, or use a collection that others use. Reading stacks,
 * states and objects through an environment needs no such lock. Whatever is done for the first time
 * loads classes, a dump some hundred: do it once before. {@link System#exit} waits for the shutdown
 * hooks, and these for whatever is suspended: until the deadline, too.
 *
 * <p>A virtual thread keeps its carrier as long as its action runs. An action must not wait for
 * what another virtual thread does: with as many such actions as there are carriers none goes on
 * any more, whatever the deadline.
 *
 * <p>It declares no checked exception, so that it is a lambda in every language; whatever it throws
 * all the same is thrown on.
 *
 * @param <T> the type of the result
 * @see Threads#withSuspended(Thread, java.time.Duration, SuspendedAction)
 */
@FunctionalInterface
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public interface SuspendedAction<T extends @Nullable Object> {

  /**
   * Does it, on the thread that has suspended the others.
   *
   * @return the result
   */
  T run();
}
