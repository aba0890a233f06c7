package io.jvmtools.examples;

import io.jvmtools.Jvmti;
import io.jvmtools.event.AllocationProfile;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.ProfileSnapshot;

/** What the reports allocate, and where. */
final class Allocations {

  private static final int INTERVAL = 64 * 1024;
  private static final int SAMPLES = 500;

  private Allocations() {}

  /** Counts them until enough samples have been taken. */
  static ProfileSnapshot of(Jvmti jvmti, H2Workload h2) {
    EventFilter reports = EventFilter.ANY.threads(h2.reporters());
    try (AllocationProfile profile =
        jvmti.profile().allocations(INTERVAL, ProfileOptions.DEFAULT.filter(reports))) {
      Progress.await("samples of allocations", () -> profile.snapshot().count() >= SAMPLES);
      return profile.snapshot();
    }
  }
}
