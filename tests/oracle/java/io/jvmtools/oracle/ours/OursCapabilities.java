package io.jvmtools.oracle.ours;

import io.jvmtools.Capability;
import io.jvmtools.oracle.asked.CapabilitiesFunctions;
import io.jvmtools.oracle.asked.Names;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The stem {@code capabilities} through the public API. */
interface OursCapabilities extends CapabilitiesFunctions, OurEnvironment {

  @Override
  default String getCapabilities() {
    return print(jvmti().capabilities().held());
  }

  @Override
  default String getPotentialCapabilities() {
    // The VM's answer has what the environment holds already, ours tells it apart.
    Set<Capability> potential = parse();
    potential.addAll(jvmti().capabilities().held());
    potential.addAll(jvmti().capabilities().obtainable());
    return print(potential);
  }

  @Override
  default String addCapabilities(String... capabilities) {
    jvmti().add(parse(capabilities).toArray(Capability[]::new));
    return "NONE";
  }

  @Override
  default String relinquishCapabilities(String... capabilities) {
    jvmti().relinquish(parse(capabilities).toArray(Capability[]::new));
    return "NONE";
  }

  static Set<Capability> parse(String... capabilities) {
    return Arrays.stream(capabilities)
        .map(name -> Capability.valueOf(name.toUpperCase(Locale.ROOT)))
        .collect(Collectors.toSet());
  }

  private static String print(Set<Capability> capabilities) {
    return Names.sorted(
        capabilities.stream().map(each -> each.name().toLowerCase(Locale.ROOT)), ",");
  }
}
