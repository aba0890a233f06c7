package io.jvmtools.support;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.VerboseFlag;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.event.AnswerableEventType;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.system.JniFunction;
import io.jvmtools.thread.SuspendedAction;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What tests pass for a parameter, by its type. A type that the public methods or the oracle's
 * functions take for the first time gets one row here.
 */
public final class Samples {

  private static final Map<Class<?>, Sample> SAMPLES =
      Stream.of(
              of(Thread.class, "thread", Parked.inPark().thread()),
              of(Thread[].class, "except", new Thread[0]),
              of(Collection.class, "threads", List.of(Parked.inPark().thread())),
              of(List.class, "threads", List.of(Thread.currentThread())),
              of(Runnable.class, "body", () -> {}),
              of(Duration.class, "deadline", Duration.ofSeconds(1)),
              of(SuspendedAction.class, "action", () -> "done"),
              of(Supplier.class, "action", () -> "done"),
              of(ThreadGroup.class, "group", new ThreadGroup("a group")),
              of(Throwable.class, "exception", new IllegalStateException("an exception")),
              of(Object.class, "object", "an object"),
              of(Class.class, "type", String.class),
              of(Class[].class, "types", new Class<?>[] {Samples.class}),
              of(Map.class, "classDefinitions", Map.of(Samples.class, new byte[] {'x'})),
              of(ClassFileTransformer.class, "transformer", new ClassFileTransformer() {}),
              of(ClassLoader.class, "loader", Samples.class.getClassLoader())
                  .forged(ClassLoader.getPlatformClassLoader(), new ClassLoader(null) {}),
              of(ProtectionDomain.class, "domain", Samples.class.getProtectionDomain()),
              of(Module.class, "module", Object.class.getModule())
                  .forged(Samples.class.getModule(), new ClassLoader(null) {}.getUnnamedModule()),
              later(JvmMethod.class, "method", () -> JvmMethod.of(Spare.method())),
              later(JvmField.class, "field", () -> JvmField.of(Spare.field())),
              of(Executable.class, "executable", Spare.method())
                  .forged(Spare.class.getDeclaredConstructors()[0]),
              of(Field.class, "field", Spare.field()),
              later(
                  StackFrame.class,
                  "frame",
                  () -> JvmTools.getFrameLocation(Thread.currentThread(), 0)),
              of(String.class, "name", "a name"),
              of(String[].class, "prefixes", new String[] {"a prefix"}),
              of(long[].class, "tags", new long[] {1}),
              of(byte[].class, "bytes", new byte[] {'x'}),
              of(VerboseFlag.class, "flag", VerboseFlag.OTHER),
              of(Capability[].class, "capabilities", new Capability[] {Capability.CAN_TAG_OBJECTS}),
              of(Set.class, "capabilities", EnumSet.of(Capability.CAN_TAG_OBJECTS)),
              of(JniFunction.class, "function", JniFunction.GET_SUPERCLASS),
              of(JniFunction[].class, "functions", new JniFunction[] {JniFunction.GET_SUPERCLASS}),
              of(EventType.class, "type", EventTypes.THREAD_END)
                  .forged(EventTypes.MONITOR_CONTENDED_ENTER, EventTypes.VIRTUAL_THREAD_END),
              of(AnswerableEventType.class, "type", EventTypes.CLASS_FILE_LOAD_HOOK)
                  .forged(EventTypes.NATIVE_METHOD_BIND),
              of(Consumer.class, "listener", event -> {}),
              of(Function.class, "listener", event -> Optional.empty())
                  .forged((Function<Object, Object>) event -> null),
              of(EventFilter.class, "filter", EventFilter.ANY)
                  .forged(
                      EventFilter.ANY.threads(new Thread("unstarted")),
                      EventFilter.ANY.minSize(1),
                      EventFilter.ANY.classes("*").perSecond(0)),
              of(CodePlace.class, "place", CodePlace.entry(Spare.class.getName(), "<init>"))
                  .forged(
                      CodePlace.line(Spare.class.getName(), Integer.MAX_VALUE),
                      CodePlace.creation(StackOverflowError.class),
                      CodePlace.creationIn("")),
              of(Predicate.class, "condition", frame -> true),
              of(
                  StackTraceElement.class,
                  "frame",
                  new StackTraceElement("a.B", "method", "B.java", 7)),
              of(ProfileOptions.class, "options", ProfileOptions.DEFAULT)
                  .forged(
                      ProfileOptions.DEFAULT.filter(EventFilter.ANY.minSize(1)).depth(1_024),
                      ProfileOptions.DEFAULT.filter(EventFilter.ANY.classes("*")).stacks(1)),
              of(Path.class, "file", Path.of("a file"))
                  .forged(Path.of(""), Path.of("/nowhere/\ud83d\ude00")),
              of(Instant.class, "moment", Instant.EPOCH).forged(Instant.MIN, Instant.MAX),
              of(OptionalInt.class, "number", OptionalInt.empty())
                  .forged(OptionalInt.of(Integer.MIN_VALUE), OptionalInt.of(Integer.MAX_VALUE)),
              of(OptionalLong.class, "number", OptionalLong.empty())
                  .forged(OptionalLong.of(Long.MIN_VALUE), OptionalLong.of(Long.MAX_VALUE)),
              of(Number.class, "value", 1),
              of(boolean.class, "flag", true),
              of(int.class, "number", 1),
              of(long.class, "number", 1L),
              of(float.class, "number", 1f),
              of(double.class, "number", 1d))
          .collect(Collectors.toMap(Sample::type, Function.identity()));

  /**
   * A row.
   *
   * @param name of a parameter of this type, unless it is a primitive one
   * @param good makes what any function takes
   * @param forged what the fuzzer passes beside it
   */
  private record Sample(Class<?> type, String name, Supplier<?> good, List<?> forged) {

    Sample forged(Object... values) {
      return new Sample(type, name, good, List.of(values));
    }
  }

  private Samples() {}

  private static <T> Sample of(Class<T> type, String name, T good) {
    return later(type, name, () -> good);
  }

  /** Made when it is wanted: for that the library is loaded, which not every JVM wants. */
  private static <T> Sample later(Class<T> type, String name, Supplier<? extends T> good) {
    return new Sample(type, name, good, List.of());
  }

  /** A class with members. */
  private static final class Spare {

    @SuppressWarnings("unused") // Found by reflection.
    private static int field;

    static Method method() {
      return Spare.class.getDeclaredMethods()[0];
    }

    static Field field() {
      return Spare.class.getDeclaredFields()[0];
    }
  }

  /** An argument that any function takes. */
  @SuppressWarnings("unchecked") // A row is made with its type, and a primitive one casts nothing.
  public static <T> T good(Class<T> type) {
    return (T) sample(type).good.get();
  }

  /** One for each parameter of a method. */
  public static Object[] good(Method method) {
    return Stream.of(method.getParameterTypes()).<Object>map(Samples::good).toArray();
  }

  /**
   * What a parameter may be called that is an object: like its type, or as the specification has
   * it, in its place if another one is of that type too.
   */
  public static List<String> names(Method method, int parameter) {
    List<Class<?>> types = List.of(method.getParameterTypes());
    Class<?> type = types.get(parameter);
    if (Collections.frequency(types, type) > 1) {
      return specified(method).map(names -> names.get(parameter)).toList();
    }
    return Stream.concat(
            Stream.of(sample(type).name), specified(method).flatMap(Collection::stream))
        .toList();
  }

  /** What the parameters are called that come in, of each of its functions. */
  private static Stream<List<String>> specified(Method method) {
    JvmtiFunction functions = method.getAnnotation(JvmtiFunction.class);
    return functions == null
        ? Stream.empty()
        : Stream.of(functions.value()).map(function -> in(function).toList());
  }

  private static Stream<String> in(String function) {
    return Spec.rows("parameters").stream()
        .filter(row -> row.get("of").equals("function") && row.get("owner").equals(function))
        .filter(row -> row.get("direction").startsWith("in"))
        .map(row -> camel(row.get("name")));
  }

  /** {@code toModule} of {@code to_module}. */
  private static String camel(String name) {
    return Pattern.compile("_(.)")
        .matcher(name)
        .replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
  }

  /** What a function may be given. */
  public static List<Object> all(Class<?> type) {
    Sample sample = sample(type);
    return Stream.concat(Stream.of(sample.good.get()), sample.forged.stream()).toList();
  }

  private static Sample sample(Class<?> type) {
    Sample sample = SAMPLES.get(type);
    if (sample == null) {
      throw new IllegalStateException(
          "No test has an argument of type " + type.getName() + ": give Samples a row for it");
    }
    return sample;
  }
}
