package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.GeneralFunctions;
import io.jvmtools.oracle.asked.Observer;
import java.lang.management.ManagementFactory;

/** What Java says itself of the stem {@code general}. */
interface JavaGeneral extends GeneralFunctions {

  @Override
  default String getVersionNumber() {
    return Runtime.version().feature() + ".0.0";
  }

  @Override
  default String setVerboseFlag(String flag, boolean on) {
    switch (flag) {
      case "GC" -> ManagementFactory.getMemoryMXBean().setVerbose(on);
      case "CLASS" -> ManagementFactory.getClassLoadingMXBean().setVerbose(on);
      default -> throw new Observer.NoAnswer();
    }
    return "NONE";
  }
}
