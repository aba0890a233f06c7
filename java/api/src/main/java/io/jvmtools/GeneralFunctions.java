package io.jvmtools;

/** The JVM itself, and the capabilities of the shared environment. A part of {@link JvmTools}. */
abstract sealed class GeneralFunctions permits TimerFunctions {

  /**
   * The phase that the JVM is in. Any phase.
   *
   * @return the phase
   */
  @JvmtiFunction("GetPhase")
  public static Phase getPhase() {
    return DefaultEnvironment.get().phase();
  }

  /**
   * The version of JVM TI that the JVM implements. Any phase.
   *
   * @return the version
   */
  @JvmtiFunction("GetVersionNumber")
  public static JvmtiVersion getVersionNumber() {
    return DefaultEnvironment.get().version();
  }

  /**
   * The name the JVM gives to an error number. Any phase.
   *
   * @param number the number of an error, as {@link JvmtiException#code()} has it
   * @return the name, for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE"}
   * @throws JvmtiException with the code 103 if the JVM knows no such error
   */
  @JvmtiFunction("GetErrorName")
  public static String getErrorName(int number) {
    return DefaultEnvironment.get().errorName(number);
  }

  /**
   * What the locations of frames count. Any phase.
   *
   * @return the format, {@link LocationFormat#JVMBCI} on HotSpot
   */
  @JvmtiFunction("GetJLocationFormat")
  public static LocationFormat getJLocationFormat() {
    return DefaultEnvironment.get().locationFormat();
  }

  /**
   * Makes the JVM report something on its standard output. Any phase; holds for the whole JVM.
   *
   * @param flag what to report
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void enableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().enableVerbose(flag);
  }

  /**
   * Makes the JVM report something no longer. Any phase; holds for the whole JVM.
   *
   * @param flag what not to report
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void disableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().disableVerbose(flag);
  }

  /**
   * Which capabilities the shared environment holds, and which this JVM can still grant.
   *
   * @return a snapshot, which prints as a table
   */
  @JvmtiFunction({"GetCapabilities", "GetPotentialCapabilities"})
  public static Capabilities capabilities() {
    return DefaultEnvironment.get().capabilities();
  }
}
