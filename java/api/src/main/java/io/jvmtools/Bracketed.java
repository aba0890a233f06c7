package io.jvmtools;

import org.jspecify.annotations.Nullable;

/**
 * An action that native code runs between a beginning and an end of its own, and what became of it.
 *
 * @param <T> what it returns
 * @param <E> what it may throw
 */
final class Bracketed<T extends @Nullable Object, E extends Exception> implements Runnable {

  private final SuspendedAction<T, E> action;
  private @Nullable T result;
  private @Nullable Throwable failure;

  Bracketed(SuspendedAction<T, E> action) {
    this.action = action;
  }

  @Override
  public void run() {
    try {
      result = action.run();
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  /** What the action has thrown, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** What the action has returned; throws what it has thrown. */
  @SuppressWarnings("unchecked")
  T outcome() throws E {
    if (failure == null) {
      return result;
    }
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    // It declares no other exceptions than these and unchecked ones.
    throw (E) failure;
  }
}
