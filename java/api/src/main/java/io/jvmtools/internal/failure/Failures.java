package io.jvmtools.internal.failure;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.NotSupportedException;
import io.jvmtools.RedefinitionException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.SpecFacts;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The one place where a code of the native side becomes an exception. */
public final class Failures {

  private static final int INVALID_THREAD = 10;
  private static final int THREAD_NOT_SUSPENDED = 13;
  private static final int THREAD_SUSPENDED = 14;
  private static final int THREAD_NOT_ALIVE = 15;
  private static final int INVALID_CLASS = 21;
  private static final int CLASS_NOT_PREPARED = 22;
  private static final int INVALID_METHODID = 23;
  private static final int INVALID_FIELDID = 25;
  private static final int NO_MORE_FRAMES = 31;
  private static final int OPAQUE_FRAME = 32;
  private static final int TYPE_MISMATCH = 34;
  private static final int INVALID_SLOT = 35;
  private static final int NOT_MONITOR_OWNER = 51;
  private static final int UNSUPPORTED_OPERATION = 73;
  private static final int NOT_AVAILABLE = 98;
  private static final int MUST_POSSESS_CAPABILITY = 99;
  private static final int ILLEGAL_ARGUMENT = 103;
  private static final int CLASS_LOADER_UNSUPPORTED = 106;
  private static final int NATIVE_METHOD = 104;
  private static final int OUT_OF_MEMORY = 110;
  private static final int WRONG_PHASE = 112;
  private static final int INTERNAL = 113;
  private static final int INVALID_ENVIRONMENT = 116;

  /** What makes classes of other class files. */
  private static final Set<String> CHANGES = Set.of("RedefineClasses", "RetransformClasses");

  private static final String CLOSED = "this environment is closed; open another one";
  private static final String SUSPENDED =
      " is suspended already; it can be suspended again once whoever did that has resumed it";
  private static final String KIND_OF_THREAD = "this JVM cannot do it for this kind of thread";
  private static final String FIELD_GONE = "its class has been unloaded";
  private static final String METHOD_GONE =
      FIELD_GONE + ", or a redefinition has replaced it and nobody runs it any more";

  private Failures() {}

  /**
   * Throws what a failure of the native side means. Called by native code with nothing pending.
   *
   * @param code a {@code jvmtiError}, or one of the negative numbers of {@link Bridge}
   * @param function the function that failed, as the specification spells it; may be empty for
   *     negative codes
   * @param detail what more is known; the name of the thread, where the code speaks of one
   * @param env the handle of the environment, 0 if there was none
   */
  public static void raise(int code, String function, @Nullable String detail, long env) {
    switch (code) {
      case Bridge.CLOSED, INVALID_ENVIRONMENT ->
          throw new IllegalStateException(about(function) + CLOSED);
      case Bridge.PANIC -> throw new InternalError(detail);
      case Bridge.STALLED -> throw new StalledException(detail);
      case Bridge.STATE -> throw new IllegalStateException(about(function) + detail);
      case OUT_OF_MEMORY ->
          throw new OutOfMemoryError(
              about(function) + join("the JVM has no native memory left for it", text(detail)));
      default -> throw refusal(JvmtiError.of(code), function, text(detail), env);
    }
  }

  /**
   * Throws if one of several capabilities cannot be had, whatever other environments hold: of what
   * those hold, only native code knows whether they are about to give it back.
   *
   * @param capabilities what is wanted
   * @param masks what the environment has
   * @throws MissingCapabilityException for the first that cannot be had
   */
  public static void requireOffered(Collection<Capability> capabilities, CapabilityMasks masks) {
    requireNone(
        EnumSet.of(Reason.NEEDS_AGENT_AT_START, Reason.NEVER_ON_THIS_VM), capabilities, masks);
  }

  /**
   * Says what it means that the JVM refused to add capabilities.
   *
   * @param capabilities what was wanted
   * @param masks what the environment has now
   * @param refusal what the JVM said
   * @return what to throw, if the capabilities could be had by now
   * @throws MissingCapabilityException for the first that still cannot be had
   */
  public static JvmtiException refused(
      Collection<Capability> capabilities, CapabilityMasks masks, NotSupportedException refusal) {
    requireNone(EnumSet.complementOf(EnumSet.of(Reason.NOT_REQUESTED)), capabilities, masks);
    for (Capability capability : capabilities) {
      if (capability.solo()) {
        // Another environment held it at that moment, and has given it back since.
        Reason reason = Reason.HELD_BY_ANOTHER_ENVIRONMENT;
        return missing("AddCapabilities", refusal.error(), capability, capabilities, reason, masks);
      }
    }
    return refusal;
  }

  /**
   * Says what the JVM would say about a method that is gone.
   *
   * @param function which would be asked
   * @return what to throw
   */
  public static JvmtiException methodUnavailable(String function) {
    return refusal(JvmtiError.of(INVALID_METHODID), function, "", 0);
  }

  /**
   * Says what the JVM would say about a field whose class is gone.
   *
   * @param function which would be asked
   * @return what to throw
   */
  public static JvmtiException fieldUnavailable(String function) {
    return refusal(JvmtiError.of(INVALID_FIELDID), function, "", 0);
  }

  /**
   * Throws if an environment does not hold what an event of it needs: of that the JVM says only
   * that something is missing.
   *
   * @param function which would be asked
   * @param capability what the event needs
   * @param env the environment
   * @throws MissingCapabilityException if it does not hold that
   */
  public static void requireHeld(String function, Capability capability, long env) {
    CapabilityMasks masks = CapabilityMasks.read(env);
    Optional<Reason> reason = masks.missing(capability);
    if (reason.isPresent()) {
      JvmtiError error = JvmtiError.of(MUST_POSSESS_CAPABILITY);
      throw missing(function, error, capability, List.of(capability), reason.get(), masks);
    }
  }

  /**
   * Says which capability the JVM missed, where another thread has given it back since it was asked
   * for: of a function that takes one or the other the specification does not tell.
   *
   * @param refusal what the JVM said
   * @param capability what was needed
   * @param env the handle of the environment
   * @return what to throw
   */
  public static JvmtiException named(JvmtiException refusal, Capability capability, long env) {
    if (refusal.error().number() != MUST_POSSESS_CAPABILITY
        || refusal instanceof MissingCapabilityException) {
      return refusal;
    }
    CapabilityMasks masks = CapabilityMasks.read(env);
    Reason reason = masks.missing(capability).orElse(Reason.NOT_REQUESTED);
    List<Capability> wanted = List.of(capability);
    return missing(refusal.function(), refusal.error(), capability, wanted, reason, masks);
  }

  private static void requireNone(
      Set<Reason> reasons, Collection<Capability> capabilities, CapabilityMasks masks) {
    for (Capability capability : capabilities) {
      Optional<Reason> reason = masks.missing(capability).filter(reasons::contains);
      if (reason.isPresent()) {
        JvmtiError error = JvmtiError.of(NOT_AVAILABLE);
        throw missing("AddCapabilities", error, capability, capabilities, reason.get(), masks);
      }
    }
  }

  private static JvmtiException refusal(
      JvmtiError error, String function, String detail, long env) {
    if (CHANGES.contains(function)) {
      Optional<RedefinitionException.Reason> reason = RedefinitionException.Reason.of(error);
      if (reason.isPresent()) {
        return new RedefinitionException(function, error, reason.get(), List.of());
      }
    }
    return switch (error.number()) {
      case THREAD_NOT_SUSPENDED ->
          new ThreadNotSuspendedException(function, error, thread(detail) + " is not suspended");
      case THREAD_SUSPENDED ->
          new ThreadSuspendedException(function, error, thread(detail) + SUSPENDED);
      case THREAD_NOT_ALIVE ->
          new ThreadNotAliveException(
              function, error, thread(detail) + " has not started yet, or has ended");
      case INVALID_METHODID -> new MemberUnavailableException(function, error, METHOD_GONE);
      case INVALID_FIELDID -> new MemberUnavailableException(function, error, FIELD_GONE);
      case NO_MORE_FRAMES ->
          new FrameUnavailableException(
              function, error, join("the stack has no frame at that depth", detail));
      case OPAQUE_FRAME ->
          new FrameUnavailableException(
              function,
              error,
              join(
                  function.startsWith("SetLocal")
                      ? "the frame is native, or of a virtual thread: of those only the innermost"
                          + " one can be written, while the thread is mounted, and on some JDKs"
                          + " not once it is compiled"
                      : "the frame is native, or its virtual thread is not mounted",
                  detail));
      case TYPE_MISMATCH ->
          new JvmtiException(
              function,
              error,
              join(
                  function.startsWith("ForceEarlyReturn")
                      ? "the method returns another type"
                      : "the variable is of another type",
                  detail));
      case INVALID_SLOT ->
          new JvmtiException(
              function, error, join("the slot holds no variable at this location", detail));
      case NATIVE_METHOD ->
          new JvmtiException(function, error, join("the method is native", detail));
      case NOT_MONITOR_OWNER ->
          new JvmtiException(
              function, error, join("the calling thread does not hold the raw monitor", detail));
      case ILLEGAL_ARGUMENT ->
          // Everything else about the arguments of these has been checked before.
          switch (function) {
            case "GetStackTrace" ->
                new FrameUnavailableException(
                    function, error, join("the stack is not that deep", detail));
            case "GetErrorName" ->
                new JvmtiException(
                    function, error, join("the JVM knows no error with this number", detail));
            case "AddModuleExports", "AddModuleOpens" ->
                new JvmtiException(
                    function, error, join("the module has no package of this name", detail));
            case "AddToBootstrapClassLoaderSearch", "AddToSystemClassLoaderSearch" ->
                new JvmtiException(
                    function, error, join("the JVM can open no jar with this name", detail));
            default -> new JvmtiException(function, error, detail);
          };
      case CLASS_LOADER_UNSUPPORTED ->
          new JvmtiException(
              function,
              error,
              join("the system class loader cannot append to its class path", detail));
      case INVALID_THREAD ->
          function.equals("RunAgentThread")
              ? new JvmtiException(
                  function,
                  error,
                  thread(detail) + " has been started before, or its constructor has not run")
              : new JvmtiException(function, error, detail);
      case CLASS_NOT_PREPARED ->
          new JvmtiException(
              function,
              error,
              join(
                  "the class is not linked: Class.forName(name) links it, a literal does not",
                  detail));
      case INVALID_CLASS ->
          function.startsWith("AddModule")
              ? new JvmtiException(
                  function,
                  error,
                  join("a primitive type is no service, and provides none", detail))
              : new JvmtiException(function, error, detail);
      case INTERNAL ->
          switch (function) {
            case "RedefineClasses", "RetransformClasses" ->
                new JvmtiException(
                    function,
                    error,
                    join("a class cannot be linked, or has too many constants by now", detail));
            // What 17 answers when two threads resume one at the same moment.
            case "ResumeThread" ->
                new ThreadNotSuspendedException(
                    function, error, join("another thread has just resumed it", detail));
            case "AddModuleReads",
                "AddModuleExports",
                "AddModuleOpens",
                "AddModuleUses",
                "AddModuleProvides" ->
                new JvmtiException(
                    function,
                    error,
                    join("the JDK's own code has thrown, as without memory", detail));
            default -> new JvmtiException(function, error, detail);
          };
      case UNSUPPORTED_OPERATION ->
          new NotSupportedException(function, error, join(unsupported(function, detail), detail));
      case NOT_AVAILABLE ->
          new NotSupportedException(function, error, join("this JVM does not offer it", detail));
      case MUST_POSSESS_CAPABILITY -> missing(function, error, detail, CapabilityMasks.read(env));
      case WRONG_PHASE ->
          new WrongPhaseException(function, error, detail.isEmpty() ? phase(env) : detail);
      default -> new JvmtiException(function, error, detail);
    };
  }

  /** What it is that cannot be done, where the library has more to say about it than the JVM. */
  private static String unsupported(String function, String detail) {
    if (detail.isEmpty()) {
      return KIND_OF_THREAD;
    }
    if (function.equals("PopFrame") || function.startsWith("ForceEarlyReturn")) {
      return "the frame cannot be left here";
    }
    if (function.startsWith("SetLocal")) {
      return "the variable cannot be written here";
    }
    return function.equals("SetBreakpoint") ? "no breakpoint can be set here" : KIND_OF_THREAD;
  }

  /**
   * Says what it means that the JVM misses a capability.
   *
   * @param function the function that failed
   * @param error what it answered
   * @param detail what more is known
   * @param masks what the environment has now
   * @return what to throw
   */
  static JvmtiException missing(
      String function, JvmtiError error, String detail, CapabilityMasks masks) {
    List<Capability> required = required(function);
    for (Capability capability : required) {
      Optional<Reason> reason = masks.missing(capability);
      if (reason.isPresent()) {
        return missing(function, error, capability, List.of(capability), reason.get(), masks);
      }
    }
    // Another thread has added it since.
    return required.isEmpty()
        ? new JvmtiException(function, error, detail)
        : missing(function, error, required.get(0), required, Reason.NOT_REQUESTED, masks);
  }

  /** The specification knows nothing of extension functions. */
  private static List<Capability> required(String function) {
    return function.equals("GetVirtualThread")
        ? List.of(Capability.CAN_SUPPORT_VIRTUAL_THREADS)
        : SpecFacts.requiredCapabilities(function);
  }

  private static MissingCapabilityException missing(
      String function,
      JvmtiError error,
      Capability capability,
      Collection<Capability> wanted,
      Reason reason,
      CapabilityMasks masks) {
    List<Capability> alike =
        wanted.stream().filter(one -> masks.missing(one).equals(Optional.of(reason))).toList();
    return new MissingCapabilityException(
        function,
        error,
        capability,
        reason,
        masks.remedy(capability, alike, reason, NativeLibrary::startOption));
  }

  private static String phase(long env) {
    if (env == 0) {
      return "";
    }
    String name =
        switch (GeneralNatives.getPhase(env)) {
          case 1 -> "OnLoad";
          case 2 -> "primordial";
          case 4 -> "live";
          case 6 -> "start";
          case 8 -> "dead";
          default -> "unknown";
        };
    return "not in the " + name + " phase, in which the JVM is";
  }

  private static String thread(String name) {
    return name.isEmpty() ? "the thread" : "the thread \"" + name + '"';
  }

  private static String text(@Nullable String detail) {
    return detail == null ? "" : detail;
  }

  private static String about(String function) {
    return function.isEmpty() ? "" : function + ": ";
  }

  private static String join(String meaning, String detail) {
    return detail.isEmpty() || meaning.isEmpty() ? meaning + detail : meaning + " (" + detail + ")";
  }
}
