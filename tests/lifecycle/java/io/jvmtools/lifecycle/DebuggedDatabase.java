package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * A debugger at work in a JVM whose database is busy; prints how often it has done what.
 *
 * <p>A method that is called again, or returned from with what it would have answered, must be one
 * that does nothing but answer, and as well from the middle: those of {@link #SEARCH} look for a
 * key among others, closer and closer.
 */
final class DebuggedDatabase {

  private static final String SEARCH = "org.h2.mvstore.type.LongDataType";
  private static final List<String> DEEDS =
      List.of("breakpoints", "locals", "popped", "redefined", "retransformed", "returned");
  private static final int AT_ONCE = 5;
  private static final int LOOKS = 50;
  private static final int LOOKS_AT_VARIABLES = 5;
  private static final int FRAMES = 3;
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final Jvmti jvmti;
  private final BusyDatabase database;
  private final List<Class<?>> classes;
  private final Random random = new Random(19);
  private final Map<String, Long> counts = new TreeMap<>();

  private DebuggedDatabase(Jvmti jvmti, BusyDatabase database) {
    this.jvmti = jvmti;
    this.database = database;
    this.classes =
        jvmti.classes().loaded().stream()
            .filter(type -> type.getName().startsWith("org.h2.") && !type.isArray())
            .filter(type -> !type.isHidden())
            // A frame of a class that was changed is not popped.
            .filter(type -> !type.getName().equals(SEARCH))
            .toList();
  }

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[0]);
    DebuggedDatabase debugger;
    try (BusyDatabase database = new BusyDatabase();
        Jvmti jvmti =
            Jvmti.open(
                CAN_SUSPEND,
                CAN_ACCESS_LOCAL_VARIABLES,
                CAN_POP_FRAME,
                CAN_FORCE_EARLY_RETURN,
                CAN_GENERATE_BREAKPOINT_EVENTS,
                CAN_REDEFINE_CLASSES,
                CAN_RETRANSFORM_CLASSES)) {
      while (database.transfers() == 0 || database.looks() == 0) {
        Thread.onSpinWait();
      }
      debugger = new DebuggedDatabase(jvmti, database);
      while (!debugger.hasDoneAll(times)) {
        debugger.round();
      }
      debugger.count("transfers", database.transfers());
      debugger.count("looks", database.looks());
    }
    debugger.counts.forEach((what, count) -> System.out.println(what + " " + count));
  }

  private boolean hasDoneAll(int times) {
    return DEEDS.stream().allMatch(deed -> counts.getOrDefault(deed, 0L) >= times);
  }

  private void round() throws Exception {
    jvmti.classes().redefine(files());
    count("redefined", AT_ONCE);
    count(
        "retransformed",
        jvmti
            .classes()
            .retransform(new Rewriting(), files().keySet().toArray(new Class<?>[0]))
            .size());
    breakpoint();
    for (int i = 0; i < LOOKS; i++) {
      Thread thread = database.threads().get(random.nextInt(database.threads().size()));
      jvmti.threads().withSuspended(thread, DEADLINE, () -> look(thread));
    }
  }

  /** The class files that some of the classes were loaded from, written anew. */
  private Map<Class<?>, byte[]> files() throws Exception {
    Map<Class<?>, byte[]> files = new LinkedHashMap<>();
    while (files.size() < AT_ONCE) {
      Class<?> type = classes.get(random.nextInt(classes.size()));
      String name = type.getName().substring(type.getName().lastIndexOf('.') + 1);
      try (InputStream file = type.getResourceAsStream(name + ".class")) {
        files.put(type, rewritten(file.readAllBytes()));
      }
    }
    return files;
  }

  private static byte[] rewritten(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(writer, 0);
    return writer.toByteArray();
  }

  /** Nobody listens: the JVM stops there for itself alone. */
  private void breakpoint() throws Exception {
    for (Method method : Class.forName(SEARCH).getMethods()) {
      if (method.getDeclaringClass().getName().equals(SEARCH)) {
        JvmMethod place = JvmMethod.of(method);
        jvmti.breakpoints().set(place, 0);
        jvmti.breakpoints().clear(place, 0);
        count("breakpoints", 1);
      }
    }
  }

  private Void look(Thread thread) {
    StackTrace trace = jvmti.frames().stackTrace(thread);
    if (random.nextInt(LOOKS) < LOOKS_AT_VARIABLES) {
      trace.stream()
          .filter(frame -> !frame.isNative())
          .limit(FRAMES)
          .forEach(frame -> count("locals", jvmti.locals().all(frame).size()));
    }
    StackFrame top = trace.get(0);
    if (top.className().equals(SEARCH) && top.methodName().equals("binarySearch")) {
      try {
        answer(thread, top);
      } catch (FrameUnavailableException | NotSupportedException | IllegalStateException notNow) {
        // It has been told to leave its frame, and has not run since; or it calls or may throw.
      }
    }
    return null;
  }

  private void answer(Thread thread, StackFrame frame) {
    if (random.nextBoolean()) {
      jvmti.frames().pop(thread);
      count("popped", 1);
    } else if (frame.method().toReflected().orElse(null) instanceof Method method) {
      jvmti.frames().forceReturn(thread, found(method, jvmti.locals().all(frame)));
      count("returned", 1);
    }
  }

  /** What the method finds when it is called with what its variables hold by now. */
  private static int found(Method method, List<LocalVariable> variables) {
    Map<String, Object> values = new HashMap<>();
    variables.forEach(variable -> values.put(variable.name(), variable.value()));
    Object[] arguments = new Object[method.getParameterCount()];
    Arrays.setAll(arguments, i -> values.get("arg" + i));
    try {
      method.setAccessible(true);
      return (int) method.invoke(values.get("this"), arguments);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(method + " of " + values, e);
    }
  }

  private void count(String what, long more) {
    counts.merge(what, more, Long::sum);
  }

  private static final class Rewriting implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] file) {
      return rewritten(file);
    }
  }
}
