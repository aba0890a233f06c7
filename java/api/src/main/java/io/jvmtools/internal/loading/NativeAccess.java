package io.jvmtools.internal.loading;

/**
 * The permission to load native code, which JDK 24 and later want to be given on the command line
 * or in the manifest. Without it the JVM warns, says what to add, and loads, or, denied, throws.
 */
final class NativeAccess {

  private NativeAccess() {}

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
