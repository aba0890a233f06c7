package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Profiles;
import io.jvmtools.fuzz.Target;
import io.jvmtools.internal.SpecFacts;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import io.jvmtools.support.Spec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** A public method that enters the VM. */
final class Operation {

  /** What it is called on. */
  enum Kind {
    /** On nothing: it is one of {@link JvmTools}. */
    STATIC_DOOR,
    /** On an environment, or a facet of one. */
    ENVIRONMENT,
    /** On nothing, and no environment is chosen for it. */
    NEITHER
  }

  private final Target target;
  private final String name;

  Operation(Target target) {
    this.target = target;
    name = target.toString();
  }

  Target target() {
    return target;
  }

  Kind kind() {
    if (target.needsReceiver()) {
      return Kind.ENVIRONMENT;
    }
    return target.owner().isAssignableFrom(JvmTools.class) ? Kind.STATIC_DOOR : Kind.NEITHER;
  }

  /** What to call it on, in an environment. */
  Object receiver(Jvmti environment) throws ReflectiveOperationException {
    return target.needsReceiver() ? Receivers.of(target, isClose(), environment) : null;
  }

  /** Calls it, and throws what it throws. In a monitor only who holds it can wait, or signal. */
  Object call(Object receiver, Object[] arguments) throws Throwable {
    if (!(receiver instanceof RawMonitor monitor) || !isOfItsHolder()) {
      return target.call(receiver, arguments);
    }
    Throwable[] thrown = new Throwable[1];
    Object result =
        monitor.hold(
            () -> {
              try {
                return target.call(receiver, arguments);
              } catch (Throwable refused) {
                thrown[0] = refused;
                return null;
              }
            });
    if (thrown[0] != null) {
      throw thrown[0];
    }
    return result;
  }

  /** Whether a call takes as long as it is told, unless somebody signals. */
  boolean waitsForAllOfIt() {
    return target.functions().contains("RawMonitorWait");
  }

  /** Whether it has the JVM tell again what it has told, as it does of two kinds of events. */
  boolean tellsAgain() {
    return toString().startsWith("Events.generate(");
  }

  /** Whether it is inside a raw monitor while it is under way. */
  boolean holdsAMonitor() {
    return isOfItsHolder() || isAbout("RawMonitorEnter");
  }

  private boolean isOfItsHolder() {
    return isAbout("RawMonitor(Wait|Notify|NotifyAll)");
  }

  /** The capabilities that it needs. */
  Set<Capability> capabilities() {
    Set<Capability> needed = new TreeSet<>();
    for (String function : target.functions()) {
      needed.addAll(SpecFacts.requiredCapabilities(function));
    }
    if (target.owner() == Profiles.class) {
      needed.add(counted(target.executable().getName()).capability().orElseThrow());
    }
    if (begins() != Begun.NOTHING) {
      needed.add(Capability.CAN_GENERATE_BREAKPOINT_EVENTS);
    }
    if (begins() == Begun.A_SNAPSHOT_POINT) {
      needed.add(Capability.CAN_ACCESS_LOCAL_VARIABLES);
    }
    return needed;
  }

  private enum Begun {
    NOTHING,
    A_PLACE,
    A_SNAPSHOT_POINT
  }

  /** What it begins, or is called on, that needs breakpoints. */
  private Begun begins() {
    if (target.owner() == PlaceSubscription.class || name.startsWith("Events.at(")) {
      return Begun.A_PLACE;
    }
    if (target.owner() == SnapshotPoint.class || name.startsWith("SnapshotPlan.forEach(")) {
      return Begun.A_SNAPSHOT_POINT;
    }
    return Begun.NOTHING;
  }

  /** The events that a profile counts. */
  private static EventType<?> counted(String method) {
    return switch (method) {
      case "contention" -> EventTypes.MONITOR_CONTENDED_ENTERED;
      case "exceptions" -> EventTypes.EXCEPTION;
      case "methodEntries" -> EventTypes.METHOD_ENTRY;
      default -> EventTypes.SAMPLED_OBJECT_ALLOC;
    };
  }

  /** Whether it is of use to it that its environment holds a capability. */
  boolean wants(Capability capability) {
    boolean suspends = capability == Capability.CAN_SUSPEND && (isDump() || wantsStanding());
    return suspends || capabilities().contains(capability);
  }

  /** Whether the threads that are named to it have to be suspended. */
  boolean wantsStanding() {
    return leavesFrames() || namesVariables() || isAbout("NotifyFramePop|ClearAllFramePops");
  }

  /** Whether it has a thread leave its innermost frame. */
  boolean leavesFrames() {
    return isAbout("PopFrame|ForceEarlyReturn.*");
  }

  /** Whether a variable of a frame is named to it, or a frame of which it lists them. */
  boolean namesVariables() {
    return isAbout("[GS]etLocal(Object|Int|Long|Float|Double|Instance)");
  }

  /** Whether it sets or clears what the JVM keeps with a class until it is redefined. */
  boolean marksClasses() {
    return isAbout("(Set|Clear)(Breakpoint|Field.*Watch)");
  }

  /** Whether all that it does is to clear what its opposite sets. */
  boolean clears() {
    return does("Clear");
  }

  /** What a method returns whose frame it leaves; any will do if it has it called again. */
  Class<?> returned() {
    String function = target.functions().get(0);
    return switch (function.replace("ForceEarlyReturn", "")) {
      case "Object" -> Object.class;
      case "Int" -> int.class;
      case "Long" -> long.class;
      case "Float" -> float.class;
      case "Double" -> double.class;
      default -> void.class;
    };
  }

  private boolean isAbout(String functions) {
    return target.functions().stream().anyMatch(f -> f.matches(functions));
  }

  /** Whether this JDK's JVM has what it asks for. */
  boolean isOfThisJdk() {
    return (Parked.hasVirtualThreads() || !isOfVirtualThreads()) && hasFunctions();
  }

  private boolean hasFunctions() {
    return Spec.rows("functions").stream()
        .filter(row -> target.functions().contains(row.get("name")))
        .allMatch(Spec::isHere);
  }

  /** Whether it is one of HotSpot's extensions that ask about virtual threads. */
  private boolean isOfVirtualThreads() {
    return target.toString().matches("Extensions\\.(carrier|virtual)Thread.*");
  }

  /**
   * Whether a thread that is named to it comes to no harm, or is let go by somebody: a caller's
   * frames and variables are those of this test.
   */
  boolean harmsNobody() {
    return !isAbout("(Stop|Interrupt)Thread|PopFrame|(ForceEarlyReturn|SetLocal).*");
  }

  /**
   * Whether somebody who is suspended in it may own a lock of the virtual thread that is named to
   * it, for which that thread and all who interrupt it wait. From 22 on nobody stops there
   * (JDK-8311218).
   */
  boolean ownsALockOfVirtualThreads() {
    return Installation.feature() < 22 && target.functions().contains("InterruptThread");
  }

  /**
   * Whether somebody who is suspended in it may own the lock of the group that is named to it, for
   * which all others wait that ask for the same group: from 19 on the JVM calls the group.
   */
  boolean ownsTheLockOfAGroup() {
    return Installation.feature() >= 19 && target.functions().contains("GetThreadGroupChildren");
  }

  /** Whether it gives classes other class files. */
  boolean changesClasses() {
    return isAbout("Re(define|transform)Classes");
  }

  /** Whether it waits for its turn where others change the same class. */
  boolean takesATurn() {
    return changesClasses() || isAbout("(Set|Clear)Breakpoint");
  }

  /** Whether all that it does is to suspend. */
  boolean suspends() {
    return does("Suspend");
  }

  /** Whether it writes a variable of a thread that is named to it. */
  boolean writesVariables() {
    return isAbout("SetLocal.*");
  }

  /** Whether it resumes, or has a thread run to where it is to leave a frame. */
  boolean resumesSomebody() {
    return isAbout("Resume.*") || leavesFrames();
  }

  /** Whether all that it does is to resume. */
  boolean resumes() {
    return does("Resume");
  }

  private boolean does(String verb) {
    return !target.functions().isEmpty()
        && target.functions().stream().allMatch(function -> function.startsWith(verb));
  }

  /** Whether it takes threads that live, or some that it need not start itself. */
  boolean namesThreads() {
    return !startsThread()
        && Arrays.stream(target.executable().getGenericParameterTypes())
            .anyMatch(type -> type.getTypeName().matches(".*\\bjava\\.lang\\.Thread\\b.*"));
  }

  /** Whether it starts the thread that is named to it. */
  boolean startsThread() {
    return target.functions().contains("RunAgentThread");
  }

  /** Whether the threads that are named to it have to be virtual. */
  boolean wantsVirtualThreads() {
    return target.functions().stream().anyMatch(f -> f.endsWith("AllVirtualThreads"));
  }

  boolean isDump() {
    return Arrays.asList("take", "threadDump").contains(target.executable().getName());
  }

  /** How long a call may be inside. */
  Duration bound() {
    return isDump() ? Bounds.DUMP : isClose() ? Bounds.CLOSE : Bounds.CALL;
  }

  private boolean isClose() {
    return target.executable().getName().equals("close");
  }

  @Override
  public String toString() {
    return name;
  }
}
