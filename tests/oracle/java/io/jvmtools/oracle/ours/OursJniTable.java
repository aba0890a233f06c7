package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.JniTableFunctions;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.util.Arrays;

/** The stem {@code jni_table} through the public API. */
interface OursJniTable extends JniTableFunctions, OurEnvironment {

  @Override
  default String getJNIFunctionTable() {
    return jvmti().jniFunctions().available().size() + " functions";
  }

  @Override
  default String setJNIFunctionTable(String function, Runnable action) {
    JniFunction counted =
        Arrays.stream(JniFunction.values())
            .filter(one -> one.cName().equals(function))
            .findFirst()
            .orElseThrow();
    try (JniCallCounter counter = jvmti().jniFunctions().count(counted)) {
      action.run();
      return counter.calls(counted) + " calls";
    }
  }
}
