package io.jvmtools.dump;

import java.time.Instant;

/**
 * When and of what a dump was taken.
 *
 * @param takenAt the time just before the threads were read
 * @param vm the name and the version of the JVM
 */
record DumpHeader(Instant takenAt, String vm) {

  static DumpHeader now() {
    return new DumpHeader(
        Instant.now(), System.getProperty("java.vm.name", "JVM") + " " + Runtime.version());
  }
}
