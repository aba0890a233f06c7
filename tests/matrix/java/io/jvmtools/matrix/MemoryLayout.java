package io.jvmtools.matrix;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.jvmtools.support.Installation;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;

/** One way for the JVM to lay out and to collect its memory. */
enum MemoryLayout {
  DEFAULT(17, List.of()),
  WIDE_REFERENCES(17, List.of("-XX:-UseCompressedOops")),
  G1(17, List.of("-XX:+UseG1GC")),
  SERIAL(17, List.of("-XX:+UseSerialGC")),
  PARALLEL(17, List.of("-XX:+UseParallelGC")),
  SHENANDOAH(17, List.of("-XX:+UseShenandoahGC")),
  Z(17, List.of("-XX:+UseZGC")),
  GENERATIONAL_Z(21, List.of("-XX:+UseZGC", "-XX:+ZGenerational")),
  COMPACT_HEADERS(25, List.of("-XX:+UseCompactObjectHeaders")),
  COMPACT_HEADERS_AND_Z(25, List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseZGC"));

  private static final HotSpotDiagnosticMXBean VM =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

  private final int since;
  private final List<String> flags;

  MemoryLayout(int since, List<String> flags) {
    this.since = since;
    this.flags = flags;
  }

  String[] flags() {
    return flags.toArray(String[]::new);
  }

  /** Why this JDK cannot be asked for it. */
  Optional<String> missing() {
    if (Installation.feature() < since) {
      return Optional.of(flags + " came with JDK " + since);
    }
    if (this == GENERATIONAL_Z && Installation.feature() >= 24) {
      return Optional.of("from JDK 24 on, ZGC is always generational: see the row Z");
    }
    if (this == SHENANDOAH && !vmHasShenandoah()) {
      return Optional.of("this build of the JDK was made without Shenandoah");
    }
    return Optional.empty();
  }

  /** Asserts that this JVM is what the flags asked for. */
  void check() {
    for (String flag : flags) {
      String value = Boolean.toString(flag.charAt("-XX:".length()) == '+');
      String name = flag.substring("-XX:+".length());
      if (!VM.getVMOption(name).getValue().equals(value)) {
        throw new AssertionError("The JVM was started with " + flag + " and ignored it");
      }
    }
  }

  int referenceSize() {
    return this == WIDE_REFERENCES || isZ() ? 8 : 4;
  }

  /** The size of an object without fields. */
  int smallestObject() {
    return this == COMPACT_HEADERS || this == COMPACT_HEADERS_AND_Z ? 8 : 16;
  }

  /** The bits of a reference that name the object, and not what the collector knows about it. */
  long address(long reference) {
    if (!isZ()) {
      return reference;
    }
    boolean generational = this == GENERATIONAL_Z || Installation.feature() >= 24;
    if (!generational) {
      return reference & (1L << 42) - 1;
    }
    // One of bits 12 to 15 is set; on x86 the address begins right above that one.
    boolean x86 = System.getProperty("os.arch").equals("amd64");
    return reference >>> (x86 ? Long.numberOfTrailingZeros(reference & 0xF000) + 1 : 16);
  }

  boolean isZ() {
    return this == Z || this == GENERATIONAL_Z || this == COMPACT_HEADERS_AND_Z;
  }

  private static boolean vmHasShenandoah() {
    try {
      return VM.getVMOption("UseShenandoahGC") != null;
    } catch (IllegalArgumentException unknown) {
      return false;
    }
  }
}
