package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_MODULE;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_OBJECT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.NONE;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.ErrorNames.OPAQUE_FRAME;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_SUSPENDED;
import static io.jvmtools.functions.errors.ErrorNames.UNMODIFIABLE_MODULE;
import static io.jvmtools.functions.errors.Impossible.impossible;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What no call from Java provokes, as it follows from spec/ for all functions alike. */
final class Implied {

  /** Why no function finds a null pointer for its answer. */
  private static final String OWN_MEMORY =
      "The memory for the answer, and for a structure, is the library's own, never null.";

  /** Why no function that means the calling thread by a null finds an invalid one. */
  private static final String ONLY_THREADS =
      "Java's types and the natives' signatures let nothing through that is not a thread, and a"
          + " null, which the public methods refuse, is the calling thread to the JVM.";

  private static final String ONLY_MODULES =
      "Java's types and the natives' signatures let nothing through that is not a module.";

  private static final String ONLY_OBJECTS =
      "A reference of Java's is to an object, or null, which is a value here.";

  private static final String WITH_ITS_CLASS =
      "A field is asked about with the class that declares it, which is no primitive type.";

  private static final String COUNTED = "The library counts, and never less than none.";

  private static final String ALL_ARE_MODIFIABLE =
      "HotSpot knows no module that cannot be changed, and answers this nowhere.";

  /** How the library's own memory is passed on. */
  private static final Set<String> OWN = Set.of("out", "alloc", "alloc_alloc", "out_buf", "in_ptr");

  private Implied() {}

  /** Those of the function that a native is. */
  static List<Impossible> of(NativeCall direct) {
    String function = direct.function();
    List<Impossible> rows = new ArrayList<>();
    if (hasOnlyOwnPointers(function)) {
      rows.addAll(impossible(NULL_POINTER, OWN_MEMORY, function));
    }
    if (meansTheCallingThread(function)) {
      rows.addAll(ofTheCallingThread(direct));
    }
    if (Input.isAboutFields(function)) {
      rows.add(
          impossible(
              INVALID_CLASS, WITH_ITS_CLASS, function, direct.ofNull("Class", INVALID_CLASS)));
    }
    if (refusesOnlyCounts(function)) {
      rows.addAll(impossible(ILLEGAL_ARGUMENT, COUNTED, function));
    }
    if (direct.takes("Object?")) {
      rows.addAll(impossible(INVALID_OBJECT, ONLY_OBJECTS, function));
    }
    if (direct.takes("Module")) {
      rows.addAll(impossible(INVALID_MODULE, ONLY_MODULES, function));
    }
    rows.addAll(impossible(UNMODIFIABLE_MODULE, ALL_ARE_MODIFIABLE, function));
    return rows;
  }

  /** Asked with a null, but for that which would suspend who asks. */
  private static List<Impossible> ofTheCallingThread(NativeCall direct) {
    String function = direct.function();
    if (Errors.lists(function, THREAD_SUSPENDED)) {
      return impossible(INVALID_THREAD, ONLY_THREADS, function);
    }
    // Where a frame may be opaque, the innermost one is: that of the native which asks.
    String answer = Errors.lists(function, OPAQUE_FRAME) ? OPAQUE_FRAME : NONE;
    return List.of(
        impossible(INVALID_THREAD, ONLY_THREADS, function, direct.ofNull("Thread?", answer)));
  }

  private static boolean hasOnlyOwnPointers(String function) {
    List<Map<String, String>> pointers =
        Input.parameters(function).stream()
            .filter(parameter -> parameter.get("null").equals(NULL_POINTER))
            .toList();
    return !pointers.isEmpty()
        && pointers.stream().allMatch(parameter -> OWN.contains(parameter.get("direction")));
  }

  private static boolean meansTheCallingThread(String function) {
    return Input.parameters(function).stream()
        .anyMatch(parameter -> parameter.get("null").equals("current_thread"));
  }

  /** Whether the only numbers that it refuses are counts. */
  private static boolean refusesOnlyCounts(String function) {
    Set<String> counts = Input.counts(function, "in_buf");
    List<Map<String, String>> refused =
        Input.parameters(function).stream()
            .filter(parameter -> parameter.get("checks").contains(":" + ILLEGAL_ARGUMENT))
            .toList();
    return !refused.isEmpty()
        && refused.stream().allMatch(parameter -> counts.contains(parameter.get("name")));
  }
}
