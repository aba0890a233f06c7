package io.jvmtools.dump;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * When and of what a dump was taken.
 *
 * @param takenAt the time just before the threads were read
 * @param processId the process; empty where a security manager forbids to ask
 * @param vm the name and the version of the JVM
 */
record DumpHeader(Instant takenAt, OptionalLong processId, String vm) {

  static DumpHeader now() {
    return new DumpHeader(
        Instant.now(),
        ownProcessId(),
        System.getProperty("java.vm.name", "JVM") + " " + Runtime.version());
  }

  private static OptionalLong ownProcessId() {
    try {
      return OptionalLong.of(ProcessHandle.current().pid());
    } catch (SecurityException e) {
      return OptionalLong.empty();
    }
  }
}
