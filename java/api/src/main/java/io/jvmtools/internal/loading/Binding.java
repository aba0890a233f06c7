package io.jvmtools.internal.loading;

import io.jvmtools.JvmtiError;
import io.jvmtools.VersionMismatchException;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Probe;
import java.lang.reflect.InvocationTargetException;

/** Ties these classes to a library that is in the process. */
final class Binding {

  private static final int WRONG_PHASE = 112;

  private Binding() {}

  /**
   * To an agent, or to what another copy of these classes has loaded, if there is either.
   *
   * @throws VersionMismatchException if there is an agent of another version; a relocated copy,
   *     which somebody packed with a version of its own, takes no notice of it instead
   */
  static boolean toPresent(Attempts attempts) {
    return bind("a library in this JVM", "none", attempts, Attempts::add);
  }

  /** To a library that has just been loaded. */
  static boolean toLoaded(String what, Attempts attempts, Attempts.Note ifNone) {
    return bind(what, "loaded, but it is not a library of JvmTools", attempts, ifNone);
  }

  private static boolean bind(
      String what, String absence, Attempts attempts, Attempts.Note ifNone) {
    try {
      if (throughProbe() || (Door.admits(Probe.class) && throughProbe())) {
        return true;
      }
      ifNone.note(attempts, what, absence);
    } catch (IllegalCallerException denied) {
      attempts.deny(what, denied);
    } catch (InvocationTargetException refused) {
      ifNone.note(attempts, what, Explanation.reason(refused.getTargetException()));
    } catch (ReflectiveOperationException | LinkageError unfit) {
      ifNone.note(attempts, what, Explanation.reason(unfit));
    }
    return false;
  }

  /** Whether the JVM has a function for the probe. */
  private static boolean throughProbe() {
    String other;
    try {
      other = Probe.bind(Bridge.ABI, Bridge.VERSION);
    } catch (UnsatisfiedLinkError absent) {
      return false;
    }
    if (other != null && other.isEmpty()) {
      throw new WrongPhaseException("GetEnv", JvmtiError.of(WRONG_PHASE), "the JVM has ended");
    } else if (other != null) {
      throw new VersionMismatchException(Bridge.VERSION + " (ABI " + Bridge.ABI + ")", other);
    }
    return true;
  }
}
