package io.jvmtools.pairs;

import io.jvmtools.JvmTools;
import io.jvmtools.fuzz.Target;
import io.jvmtools.fuzz.Victims;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Variables in the frames of victims. */
final class Variables {

  /** Where {@link Victims#HOLDER} keeps one of a type, as functions name it. */
  private static final Map<String, Integer> SLOTS =
      Map.of("Object", 2, "Int", 3, "Long", 4, "Float", 6, "Double", 7);

  private static final String OBJECT = "object";

  private Variables() {}

  /** The frame of a thread that has variables of all types, or any, or one of the caller's. */
  static StackFrame frame(Thread thread, Random random) {
    StackFrame any = JvmTools.getFrameLocation(Thread.currentThread(), 0);
    int place = random.nextInt(8);
    for (StackFrame frame : framesOf(thread)) {
      if (isHolder(frame)) {
        return frame;
      } else if (place-- == 0) {
        any = frame;
      }
    }
    return any;
  }

  /** Arguments that name a variable, instead of any name, depth and slot. */
  static Object[] aimed(Target target, Object[] arguments) {
    Class<?>[] types = target.executable().getParameterTypes();
    if (types[0] == StackFrame.class) {
      if (arguments.length > 1) {
        arguments[1] = OBJECT;
      }
      return arguments;
    }
    for (StackFrame frame : framesOf((Thread) arguments[0])) {
      if (isHolder(frame)) {
        arguments[1] = frame.depth();
      }
    }
    String function = target.functions().get(0);
    Integer slot = SLOTS.get(function.replaceFirst("[GS]etLocal", ""));
    if (slot != null && arguments.length > 2) {
      arguments[2] = slot;
    }
    return arguments;
  }

  /** None if it has ended. */
  private static StackTrace framesOf(Thread thread) {
    return JvmTools.getThreadListStackTraces(List.of(thread)).get(0).trace();
  }

  private static boolean isHolder(StackFrame frame) {
    return frame.methodName().equals(Victims.HOLDER)
        && frame.className().startsWith(Victims.class.getName());
  }
}
