package io.jvmtools.oracle.ours;

import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.oracle.asked.BreakpointFunctions;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;

/** The stem {@code breakpoint} through the public API. */
interface OursBreakpoint extends BreakpointFunctions, OurEnvironment {

  @Override
  default String setBreakpoint(Object method, long location) {
    jvmti().breakpoints().set(JvmMethod.of((Executable) method), location);
    return "NONE";
  }

  @Override
  default String clearBreakpoint(Object method, long location) {
    jvmti().breakpoints().clear(JvmMethod.of((Executable) method), location);
    return "NONE";
  }

  @Override
  default String setFieldAccessWatch(Object field) {
    jvmti().watches().setReads(JvmField.of((Field) field));
    return "NONE";
  }

  @Override
  default String clearFieldAccessWatch(Object field) {
    jvmti().watches().clearReads(JvmField.of((Field) field));
    return "NONE";
  }

  @Override
  default String setFieldModificationWatch(Object field) {
    jvmti().watches().setWrites(JvmField.of((Field) field));
    return "NONE";
  }

  @Override
  default String clearFieldModificationWatch(Object field) {
    jvmti().watches().clearWrites(JvmField.of((Field) field));
    return "NONE";
  }
}
