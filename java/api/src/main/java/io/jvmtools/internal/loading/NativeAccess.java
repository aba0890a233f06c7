package io.jvmtools.internal.loading;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;

/**
 * The permission to load native code, which JDK 24 and later want to be given on the command line
 * or in the manifest. Without it the JVM warns and loads, or, denied, throws.
 */
final class NativeAccess {

  private static final int RESTRICTED_SINCE = 24;

  private NativeAccess() {}

  /**
   * Whether this JVM lets a module load native code without a warning. Once it has warned, it does.
   */
  static boolean isSilent(Module module) {
    if (Runtime.version().feature() < RESTRICTED_SINCE) {
      return true;
    }
    try {
      // The release that this is compiled for has no such method.
      return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(module);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
      return true;
    }
  }

  /** Says what would have kept the JVM from warning. */
  static void tell(Module module, String agent) {
    System.getLogger("io.jvmtools")
        .log(Level.WARNING, "To load JvmTools without a warning, " + remedy(module, agent));
  }

  /** What to change about the command line. */
  static String remedy(Module module, String agent) {
    String allow =
        module.isNamed()
            ? "--enable-native-access=" + module.getName()
            : "--enable-native-access=ALL-UNNAMED, or put Enable-Native-Access: ALL-UNNAMED into"
                + " the manifest of the jar that is started";
    return "start the JVM with " + allow + ", or start it with the agent: -agentpath:" + agent;
  }
}
