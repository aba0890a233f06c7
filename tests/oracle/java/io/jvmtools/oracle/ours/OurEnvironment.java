package io.jvmtools.oracle.ours;

import io.jvmtools.Jvmti;
import io.jvmtools.oracle.asked.Observer;

/** What each stem of the library's side asks. */
public interface OurEnvironment {

  /** The library's side, in an environment with these capabilities. */
  static Observer open(String... capabilities) {
    return new Ours(capabilities);
  }

  Jvmti jvmti();
}
