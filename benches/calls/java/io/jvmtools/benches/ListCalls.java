package io.jvmtools.benches;

import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static io.jvmtools.Capability.CAN_GET_LINE_NUMBERS;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;

import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.LineNumber;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls that answer lists: our public method against an agent in C that makes the same call, and as
 * many Java objects of it.
 */
final class ListCalls {

  private static final Limit LIMIT = Limit.atMostPercent(130);
  private static final Class<?> TYPE = ConcurrentHashMap.class;
  private static final int TAGGED = 1_000;

  /** Where answers go. */
  private static volatile Object sink;

  private final Report report;

  ListCalls(Report report) {
    this.report = report;
  }

  void run() throws Exception {
    ListsC.open();
    Object[] tagged = new Object[TAGGED];
    Method reflected = TYPE.getMethod("remove", Object.class, Object.class);
    JvmMethod method = JvmMethod.of(reflected);
    long methodId = ListsC.methodId(reflected);
    try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GET_BYTECODES, CAN_GET_LINE_NUMBERS)) {
      for (int i = 0; i < TAGGED; i++) {
        tagged[i] = new Object();
        ListsC.setTag(tagged[i], 7);
        jvmti.objects().setTag(tagged[i], 7);
      }
      race(jvmti, method, methodId);
    }
  }

  private void race(Jvmti jvmti, JvmMethod method, long methodId) throws Exception {
    race("GetLoadedClasses", () -> List.of(ListsC.loadedClasses()), () -> jvmti.classes().loaded());
    race(
        "GetImplementedInterfaces",
        () -> List.of(ListsC.interfaces(TYPE)),
        () -> jvmti.classes().implementedInterfaces(TYPE));
    race("GetClassMethods", () -> boxed(ListsC.methods(TYPE)), () -> jvmti.classes().methods(TYPE));
    race("GetClassFields", () -> fields(), () -> jvmti.classes().fields(TYPE));
    race(
        "GetLineNumberTable",
        () -> lines(ListsC.lineNumbers(methodId)),
        () -> jvmti.methods().lineNumbers(method));
    race("GetBytecodes", () -> ListsC.bytecodes(methodId), () -> jvmti.methods().bytecodes(method));
    race("GetAllModules", () -> List.of(ListsC.modules()), () -> jvmti.modules().all());
    race("GetAllThreads", () -> List.of(ListsC.threads()), () -> jvmti.threads().all());
    race(
        "GetSystemProperties",
        () -> properties(ListsC.properties()),
        () -> jvmti.system().properties());
    race(
        "GetObjectsWithTags, 1,000",
        () -> List.of(ListsC.withTag(7)),
        () -> jvmti.objects().withTag(7, Object.class));
  }

  /** A method as an object that tells it from others. */
  private record Id(long id) {}

  private record Field(String name, String signature, int modifiers) {}

  private static List<Id> boxed(long[] ids) {
    return Arrays.stream(ids).mapToObj(Id::new).toList();
  }

  private static List<Field> fields() {
    int[] modifiers = new int[200];
    String[] texts = ListsC.fields(TYPE, modifiers);
    List<Field> fields = new ArrayList<>(texts.length / 2);
    for (int i = 0; i < texts.length; i += 2) {
      fields.add(new Field(texts[i], texts[i + 1], modifiers[i / 2]));
    }
    return fields;
  }

  private static List<LineNumber> lines(int[] pairs) {
    List<LineNumber> lines = new ArrayList<>(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      lines.add(new LineNumber(pairs[i], pairs[i + 1]));
    }
    return lines;
  }

  private static Map<String, String> properties(String[] texts) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (int i = 0; i < texts.length; i += 2) {
      properties.put(texts[i], texts[i + 1]);
    }
    return properties;
  }

  private void race(String subject, Callable<?> c, Callable<?> api) throws Exception {
    List<Figure> figures =
        Race.run(
            Stopwatch.PROCESS,
            new Contestant("public method", body(api)),
            new Contestant("agent in C", body(c)));
    report.compare(subject, figures.get(0), figures.get(1), LIMIT);
  }

  private static Body body(Callable<?> call) {
    return times -> {
      for (int i = 0; i < times; i++) {
        sink = call.call();
      }
    };
  }
}
