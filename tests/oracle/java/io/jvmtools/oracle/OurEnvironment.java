package io.jvmtools.oracle;

import io.jvmtools.Jvmti;

/** What each stem of the library's side asks. */
interface OurEnvironment {
  Jvmti jvmti();
}
