package io.jvmtools.functions.errors;

import java.util.List;
import java.util.stream.Stream;

/** Both registries, of all stems. */
public final class Errors {

  static final String INVALID_THREAD = "INVALID_THREAD";
  static final String INVALID_THREAD_GROUP = "INVALID_THREAD_GROUP";
  static final String INVALID_PRIORITY = "INVALID_PRIORITY";
  static final String INVALID_OBJECT = "INVALID_OBJECT";
  static final String THREAD_NOT_SUSPENDED = "THREAD_NOT_SUSPENDED";
  static final String THREAD_SUSPENDED = "THREAD_SUSPENDED";
  static final String THREAD_NOT_ALIVE = "THREAD_NOT_ALIVE";
  static final String NO_MORE_FRAMES = "NO_MORE_FRAMES";
  static final String OPAQUE_FRAME = "OPAQUE_FRAME";
  static final String INVALID_TYPESTATE = "INVALID_TYPESTATE";
  static final String UNSUPPORTED_OPERATION = "UNSUPPORTED_OPERATION";
  static final String NOT_AVAILABLE = "NOT_AVAILABLE";
  static final String MUST_POSSESS_CAPABILITY = "MUST_POSSESS_CAPABILITY";
  static final String NULL_POINTER = "NULL_POINTER";
  static final String ILLEGAL_ARGUMENT = "ILLEGAL_ARGUMENT";

  private Errors() {}

  /** What Java provokes. */
  public static List<Provocation> provoked() {
    return Stream.of(
            ThreadErrors.provoked(),
            SuspendErrors.provoked(),
            FrameErrors.provoked(),
            ObjectErrors.provoked(),
            HeapErrors.provoked(),
            TimerErrors.provoked(),
            GeneralErrors.provoked(),
            CapabilityErrors.provoked())
        .flatMap(List::stream)
        .toList();
  }

  /** What Java cannot provoke. */
  public static List<Impossible> impossible() {
    return Stream.of(
            ThreadErrors.impossible(),
            SuspendErrors.impossible(),
            FrameErrors.impossible(),
            ObjectErrors.impossible(),
            HeapErrors.impossible(),
            TimerErrors.impossible(),
            GeneralErrors.impossible(),
            CapabilityErrors.impossible())
        .flatMap(List::stream)
        .toList();
  }
}
