package io.jvmtools.internal.environment;

import org.jspecify.annotations.Nullable;

/**
 * An action that native code runs between a beginning and an end of its own, and what became of it.
 *
 * @param <T> what it returns
 * @param <E> what it may throw
 */
public final class Bracketed<T extends @Nullable Object, E extends Exception> implements Runnable {

  /**
   * The action.
   *
   * @param <T> what it returns
   * @param <E> what it may throw
   */
  public interface Action<T extends @Nullable Object, E extends Exception> {

    /**
     * Acts.
     *
     * @return the result
     * @throws E if it fails
     */
    T run() throws E;
  }

  private final Action<T, E> action;
  private @Nullable T result;
  private @Nullable Throwable failure;

  /**
   * What native code may run, once.
   *
   * @param action the action
   */
  public Bracketed(Action<T, E> action) {
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

  /**
   * What the action has thrown.
   *
   * @return a failure, or null
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /**
   * What the action has returned; throws what it has thrown.
   *
   * @return its result
   * @throws E if the action has thrown it
   */
  @SuppressWarnings("unchecked")
  public T outcome() throws E {
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
