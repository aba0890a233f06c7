package io.jvmtools.pairs;

import io.jvmtools.Agent;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.event.EventFrame;
import io.jvmtools.fuzz.Target;
import io.jvmtools.fuzz.Targets;
import io.jvmtools.support.ProductClasses;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All public methods that enter the VM, found by reflection: those of the doors and of their
 * facets, whatever else says that it reaches a function, and what comes to a native without that.
 */
final class Operations {

  private static final String FOR_GOOD = "what it adds stays for good, each time again";

  /** What there is only for a while, of which each operation is another one's. */
  static final Map<Class<?>, String> PARTS =
      Map.of(EventFrame.class, "is for a listener: it asks what Frames and Locals ask");

  /** What cannot be one of a pair, and why. */
  static final Map<String, String> LEFT_OUT =
      Map.of(
          "JvmTools.addToBootstrapClassLoaderSearch(Path)",
          FOR_GOOD,
          "JvmTools.addToSystemClassLoaderSearch(Path)",
          FOR_GOOD,
          "SystemAccess.addToBootstrapSearch(Path)",
          FOR_GOOD,
          "SystemAccess.addToSystemSearch(Path)",
          FOR_GOOD,
          "Events.frame()",
          "answers listeners alone",
          "Agent.attach(long)",
          "needs another JVM",
          "Agent.attachSelf()",
          "is the JDK's: its one listener serves one at a time, and keeps all others waiting for"
              + " one that stands still");

  private static final Reach REACH = new Reach();

  private Operations() {}

  /** In an order that stays. */
  static List<Operation> all() {
    return Targets.all().stream()
        .filter(Operations::entersTheVm)
        .filter(target -> !LEFT_OUT.containsKey(target.toString()))
        .filter(target -> !PARTS.containsKey(target.owner()))
        .map(Operation::new)
        .toList();
  }

  /** What sets what this one clears, or the other way round, and takes the same. */
  static Optional<Operation> opposite(Operation operation) {
    if (!operation.marksClasses()) {
      return Optional.empty();
    }
    String name = operation.toString();
    String other =
        operation.clears() ? name.replace(".clear", ".set") : name.replace(".set", ".clear");
    return all().stream().filter(any -> any.toString().equals(other)).findFirst();
  }

  /** What the environments need so that as many as possible of them work. */
  static Set<Capability> capabilities() {
    Set<Capability> needed = EnumSet.noneOf(Capability.class);
    all().forEach(operation -> needed.addAll(operation.capabilities()));
    return needed;
  }

  static boolean entersTheVm(Target target) {
    boolean isOfADoor = target.owner().isAssignableFrom(JvmTools.class) || isEnvironment(target);
    return !target.functions().isEmpty()
        || (isOfADoor ? !answersFacet(target) : REACH.hasNatives(target.executable()));
  }

  private static boolean isEnvironment(Target target) {
    Class<?> owner = target.owner();
    return owner == Jvmti.class || owner == Agent.class || isFacet(owner);
  }

  private static boolean answersFacet(Target target) {
    return target.owner() == Jvmti.class
        && target.executable() instanceof Method method
        && isFacet(method.getReturnType());
  }

  /** Whether an environment has one of them for its life. */
  private static boolean isFacet(Class<?> type) {
    return ProductClasses.facets().contains(type);
  }
}
