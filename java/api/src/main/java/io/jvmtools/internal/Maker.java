package io.jvmtools.internal;

/**
 * Makes what only classes of its own package can make.
 *
 * @param <A> what it is made from
 * @param <T> what is made
 */
public interface Maker<A, T> {

  /**
   * Makes one.
   *
   * @param from what it is made from
   * @return what was made
   */
  T make(A from);
}
