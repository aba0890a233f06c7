package io.jvmtools.oracle.asked;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.support.Spec;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A function with arguments, to be played in every environment and on every kind of thread.
 *
 * @param function its name
 * @param play the call
 */
public record Call(String function, Function<Observer, String> play) {

  /** Besides those called {@code Get…} these do not change what they are asked about. */
  private static final Set<String> LEAVE_A_NUMBER =
      Set.of("SetTag", "SetThreadLocalStorage", "SetEnvironmentLocalStorage");

  /** The thread that these are given they start, or spare. */
  private static final Set<String> OF_OTHER_THREADS =
      Set.of("RunAgentThread", "SuspendAllVirtualThreads", "ResumeAllVirtualThreads");

  private static final Set<String> KNOWN_CLASSES =
      Set.of("java.lang.Object", "[I", "int", "[[Lio.jvmtools.oracle.scenes.ClassScenes;");

  private static final Set<String> KNOWN_MODULES =
      Set.of("java.base", "any", "acme.listed", "unnamed of app", "unnamed of platform");

  private static final Set<String> LAST = Set.of("DisposeEnvironment");

  /** What becomes of answers that differ from run to run. */
  private static final Map<String, UnaryOperator<String>> STEADY =
      Map.of(
          "GetAllThreads", Call::actors,
          "GetAllStackTraces", Call::actorStacks,
          "GetLoadedClasses", Call::classes,
          "GetAllModules", Call::modules,
          "GetSystemProperties", Call::properties,
          "GetObjectHashCode", Call::anyNumber,
          "GetCurrentThreadCpuTime", Call::anyNumber,
          "GetThreadCpuTime", Call::anyNumber,
          "GetTime", Call::anyNumber);

  static {
    Stream.of(LEAVE_A_NUMBER, OF_OTHER_THREADS, LAST, STEADY.keySet())
        .flatMap(Set::stream)
        .forEach(Call::method);
  }

  /** Functions that only look at a thread, or leave a number at it. */
  public static List<Call> onThread(Thread thread) {
    return looking(Arguments.with(thread)).filter(Call::takesThread).toList();
  }

  /** Functions that a live thread would feel. */
  public static List<Call> againstThread(Thread thread) {
    return here(Arguments.with(thread))
        .filter(call -> call.takesThread() && !call.looks())
        .filter(call -> !OF_OTHER_THREADS.contains(call.function))
        .toList();
  }

  /** Functions that only look at something, or leave a number at it. */
  public static List<Call> looking(Thread thread, Object object, ThreadGroup group) {
    return looking(new Arguments(thread, object, group)).toList();
  }

  /** Every function but {@code DisposeEnvironment}, with arguments that leave no trace. */
  public static List<Call> all(Thread thread) {
    return here(Arguments.with(thread)).filter(call -> !LAST.contains(call.function)).toList();
  }

  /** The names of those that this JDK has. */
  public static Set<String> here() {
    return Spec.rows("functions").stream()
        .filter(Spec::isHere)
        .map(row -> row.get("name"))
        .collect(Collectors.toSet());
  }

  private static Stream<Call> looking(Arguments arguments) {
    return here(arguments).filter(Call::looks);
  }

  /** Those that look come first, what is set before it is got. */
  private static Stream<Call> here(Arguments arguments) {
    Set<String> here = here();
    return Functions.calls(arguments).stream()
        .filter(call -> here.contains(call.function))
        .sorted(Comparator.comparing(call -> !call.function.startsWith("Set")))
        .sorted(Comparator.comparing(call -> !call.looks()));
  }

  private boolean looks() {
    return function.startsWith("Get") || LEAVE_A_NUMBER.contains(function);
  }

  private boolean takesThread() {
    return Stream.of(method(function).getParameterTypes())
        .anyMatch(type -> type == Thread.class || type == Thread[].class);
  }

  private static Method method(String function) {
    String name = Character.toLowerCase(function.charAt(0)) + function.substring(1);
    return Arrays.stream(Functions.class.getMethods())
        .filter(method -> method.getName().equals(name))
        .findAny()
        .orElseThrow(
            () -> new IllegalStateException(function + ", which Call names, is no function"));
  }

  /** What the observer answers, without what differs from run to run. */
  public String answer(Observer observer) {
    return STEADY.getOrDefault(function, UnaryOperator.identity()).apply(play.apply(observer));
  }

  /** The answer without its number, which differs from run to run. */
  public static String anyNumber(String answer) {
    return answer.matches("-?\\d+") ? "a number" : answer;
  }

  /** A list of threads without those of the JVM. */
  public static String actors(String answer) {
    return Notes.only(answer, ",", Actor::isNamed);
  }

  /** A list of classes with only those that every JVM has loaded, and the oracle's own. */
  public static String classes(String answer) {
    return Notes.only(answer, ",", KNOWN_CLASSES::contains);
  }

  /** A list of modules with only those that every JVM has, and the oracle's own. */
  public static String modules(String answer) {
    return Notes.only(answer, ",", KNOWN_MODULES::contains);
  }

  /** A list of properties with only those that are about the VM: others are of its command line. */
  public static String properties(String answer) {
    return Notes.only(answer, ",", name -> name.startsWith("java.vm."));
  }

  /** A list of stacks without those of the JVM's threads, and the one that observes. */
  public static String actorStacks(String answer) {
    return Notes.only(answer, "; ", stack -> stack.startsWith("actor "));
  }

  /** Writes down what each of some calls answers. */
  public static void note(Notes notes, String scenario, List<Call> calls, Observer observer) {
    for (Call call : calls) {
      notes.note(call.function + "." + scenario, () -> call.answer(observer));
    }
  }
}
