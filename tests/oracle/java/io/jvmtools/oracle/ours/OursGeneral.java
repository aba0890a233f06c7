package io.jvmtools.oracle.ours;

import io.jvmtools.VerboseFlag;
import io.jvmtools.oracle.asked.GeneralFunctions;

/** The stem {@code general} through the public API. */
interface OursGeneral extends GeneralFunctions, OurEnvironment {

  @Override
  default String getPhase() {
    return jvmti().phase().name();
  }

  @Override
  default String getVersionNumber() {
    return jvmti().version().toString();
  }

  @Override
  default String getErrorName(int code) {
    return jvmti().errorName(code);
  }

  @Override
  default String getJLocationFormat() {
    return jvmti().locationFormat().name();
  }

  @Override
  default String setVerboseFlag(String flag, boolean on) {
    if (on) {
      jvmti().enableVerbose(VerboseFlag.valueOf(flag));
    } else {
      jvmti().disableVerbose(VerboseFlag.valueOf(flag));
    }
    return "NONE";
  }

  @Override
  default String getEnvironmentLocalStorage() {
    return String.valueOf(jvmti().localStorage());
  }

  @Override
  default String setEnvironmentLocalStorage(long value) {
    jvmti().setLocalStorage(value);
    return "NONE";
  }

  @Override
  default String disposeEnvironment() {
    jvmti().close();
    return "NONE";
  }
}
