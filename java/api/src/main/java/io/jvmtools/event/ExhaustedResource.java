package io.jvmtools.event;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What the JVM may have no more of. */
public enum ExhaustedResource {
  /** It throws an {@link OutOfMemoryError}, or will. */
  OOM_ERROR(0x0001),
  /** There is no room in the heap. */
  JAVA_HEAP(0x0002),
  /** No thread can be made. */
  THREADS(0x0004);

  private final int bit;

  ExhaustedResource(int bit) {
    this.bit = bit;
  }

  static Set<ExhaustedResource> of(int flags) {
    Set<ExhaustedResource> all = EnumSet.noneOf(ExhaustedResource.class);
    for (ExhaustedResource one : values()) {
      if ((flags & one.bit) != 0) {
        all.add(one);
      }
    }
    return Collections.unmodifiableSet(all);
  }
}
