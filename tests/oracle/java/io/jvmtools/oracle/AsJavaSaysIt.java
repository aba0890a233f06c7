package io.jvmtools.oracle;

import io.jvmtools.oracle.actors.Virtual;

/** Brings what the VM says down to what Java can say of it. */
final class AsJavaSaysIt {

  private static final int ALIVE = 0x1;
  private static final int TERMINATED = 0x2;
  private static final int RUNNABLE = 0x4;
  private static final int WAITING_WITH_TIMEOUT = 0x20;
  private static final int BLOCKED = 0x400;
  private static final int FIELD_FLAGS = 0x50df;

  /** Since 21: those of lambdas, and one at the bottom of each thread. */
  private static final String HIDDEN =
      Virtual.isHere() ? "\\S*(\\$\\$Lambda|Thread\\.runWith)\\S* < " : "nothing";

  private AsJavaSaysIt() {}

  /**
   * Java has no environments, none that is closed, and none that lacks a capability; and it answers
   * before a class is linked.
   */
  static boolean isBeyondJava(String vm) {
    return vm.equals("INVALID_ENVIRONMENT")
        || vm.equals("MUST_POSSESS_CAPABILITY")
        || vm.equals("CLASS_NOT_PREPARED");
  }

  static String translate(String key, String vm) {
    return switch (key.substring(0, key.indexOf('.'))) {
      case "GetThreadState" -> state(Integer.decode(vm)).name();
      // Java has lines where the VM has locations, and leaves hidden frames out.
      case "GetStackTrace", "GetFrameLocation" ->
          vm.replaceAll(HIDDEN, "").replaceAll(":-?\\d+", "");
      case "GetFrameCount" -> String.valueOf(Integer.parseInt(vm) - (Virtual.isHere() ? 1 : 0));
      case "GetFieldModifiers" -> fieldModifiers(vm);
      default -> vm;
    };
  }

  /** Those that a class file may have. */
  static String fieldModifiers(String vm) {
    return vm.matches("\\d+") ? String.valueOf(Integer.parseInt(vm) & FIELD_FLAGS) : vm;
  }

  /** The conversion that the specification has. */
  private static Thread.State state(int bits) {
    if ((bits & ALIVE) == 0) {
      return (bits & TERMINATED) == 0 ? Thread.State.NEW : Thread.State.TERMINATED;
    }
    if ((bits & RUNNABLE) != 0) {
      return Thread.State.RUNNABLE;
    }
    if ((bits & BLOCKED) != 0) {
      return Thread.State.BLOCKED;
    }
    if ((bits & WAITING_WITH_TIMEOUT) != 0) {
      return Thread.State.TIMED_WAITING;
    }
    return Thread.State.WAITING;
  }
}
