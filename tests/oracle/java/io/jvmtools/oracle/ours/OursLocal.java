package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.LocalFunctions;
import io.jvmtools.oracle.asked.Names;

/** The stem {@code local} through the public API. */
interface OursLocal extends LocalFunctions, OurEnvironment {

  @Override
  default String getLocalObject(Thread thread, int outer, int slot) {
    return Names.of(jvmti().locals().objectAt(thread, outer, slot).orElse(null));
  }

  @Override
  default String getLocalInstance(Thread thread, int outer) {
    return jvmti().locals().instance(thread, outer).map(Names::of).orElse("INVALID_SLOT");
  }

  @Override
  default String getLocalInt(Thread thread, int outer, int slot) {
    return String.valueOf(jvmti().locals().intAt(thread, outer, slot));
  }

  @Override
  default String getLocalLong(Thread thread, int outer, int slot) {
    return String.valueOf(jvmti().locals().longAt(thread, outer, slot));
  }

  /** Its bits, since both languages write numbers in their own way. */
  @Override
  default String getLocalFloat(Thread thread, int outer, int slot) {
    float value = jvmti().locals().floatAt(thread, outer, slot);
    return String.valueOf(Float.floatToRawIntBits(value));
  }

  @Override
  default String getLocalDouble(Thread thread, int outer, int slot) {
    double value = jvmti().locals().doubleAt(thread, outer, slot);
    return String.valueOf(Double.doubleToRawLongBits(value));
  }

  @Override
  default String setLocalObject(Thread thread, int outer, int slot, Object object) {
    if (object == null) {
      jvmti().locals().setNullAt(thread, outer, slot);
    } else {
      jvmti().locals().setObjectAt(thread, outer, slot, object);
    }
    return "NONE";
  }

  @Override
  default String setLocalInt(Thread thread, int outer, int slot, long value) {
    jvmti().locals().setIntAt(thread, outer, slot, (int) value);
    return "NONE";
  }

  @Override
  default String setLocalLong(Thread thread, int outer, int slot, long value) {
    jvmti().locals().setLongAt(thread, outer, slot, value);
    return "NONE";
  }

  @Override
  default String setLocalFloat(Thread thread, int outer, int slot, long value) {
    jvmti().locals().setFloatAt(thread, outer, slot, (float) value);
    return "NONE";
  }

  @Override
  default String setLocalDouble(Thread thread, int outer, int slot, long value) {
    jvmti().locals().setDoubleAt(thread, outer, slot, (double) value);
    return "NONE";
  }
}
