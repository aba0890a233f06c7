package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.NOT_AVAILABLE;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import java.util.List;

/** Capabilities. */
final class CapabilityErrors implements ErrorRows {

  /** Which bit of a mask stands for can_suspend. */
  private static final int CAN_SUSPEND_BIT = 20;

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
                "AddCapabilities",
                NOT_AVAILABLE,
                "what another environment holds for itself",
                jvmti -> whileAnotherHoldsIt(() -> jvmti.add(Capability.CAN_SUSPEND)))
            .directly(
                new DirectAnswer(
                    NOT_AVAILABLE,
                    env ->
                        whileAnotherHoldsIt(
                            () ->
                                CapabilitiesNatives.addCapabilities(env, 1L << CAN_SUSPEND_BIT)))));
  }

  private static void whileAnotherHoldsIt(Runnable call) {
    Jvmti other = Jvmti.open(Capability.CAN_SUSPEND);
    try {
      call.run();
    } finally {
      other.close();
    }
  }
}
