package io.jvmtools.functions.errors;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.internal.SpecFacts;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.Spec;
import java.lang.ref.Reference;
import java.util.Locale;

/**
 * What the JVM says to a call that the public methods do not let through.
 *
 * @param error the name of its error without the prefix, {@code NONE} if it does not mind
 * @param question the call, with the handle of an environment that holds what the function requires
 */
public record DirectAnswer(String error, Question question) {

  /** A call of a native. */
  @FunctionalInterface
  public interface Question {
    /** Asks. */
    void ask(long env);
  }

  /** Asks the JVM; answers the name of an error, without the prefix. */
  @SuppressWarnings("ReachabilityFenceUsage") // The environment is closed when its owner is gone.
  String ask(String function) {
    NativeLibrary.load();
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    try {
      long mask = 0;
      for (Capability capability : SpecFacts.requiredCapabilities(function)) {
        mask |= 1L << bit(capability);
      }
      CapabilitiesNatives.addCapabilities(env, mask);
      question.ask(env);
      return "NONE";
    } catch (JvmtiException refusal) {
      return nameOf(refusal);
    } finally {
      GeneralNatives.close(env);
      Reference.reachabilityFence(owner);
    }
  }

  static String nameOf(JvmtiException refusal) {
    return refusal.error().name().replace("JVMTI_ERROR_", "");
  }

  private static int bit(Capability capability) {
    String name = capability.name().toLowerCase(Locale.ROOT);
    return Spec.rows("capabilities").stream()
        .filter(row -> row.get("name").equals(name))
        .mapToInt(row -> Integer.parseInt(row.get("bit")))
        .findFirst()
        .orElseThrow();
  }
}
