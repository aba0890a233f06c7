package io.jvmtools.benches;

/** What is measured, as a loop of its own, so that the compiler sees each as its caller would. */
@FunctionalInterface
interface Body {
  /** Does it that many times. */
  void run(int times) throws Exception;
}
