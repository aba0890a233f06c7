package io.jvmtools.lifecycle;

import static io.jvmtools.event.EarlyEventKind.CLASS_FILE_LOAD_HOOK;
import static io.jvmtools.event.EarlyEventKind.CLASS_LOAD;
import static io.jvmtools.event.EarlyEventKind.CLASS_PREPARE;
import static io.jvmtools.event.EarlyEventKind.NATIVE_METHOD_BIND;
import static io.jvmtools.event.EarlyEventKind.THREAD_START;
import static io.jvmtools.event.EarlyEventKind.VM_INIT;
import static io.jvmtools.event.EarlyEventKind.VM_START;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.Agent;
import io.jvmtools.Jvmti;
import io.jvmtools.Phase;
import io.jvmtools.event.EarlyEvent;
import io.jvmtools.event.EarlyEventKind;
import io.jvmtools.event.EarlyEvents;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.RunningChild;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the agent's option {@code record} records before the JVM is initialised. */
class EarlyEventsTest {

  /** How the JVM itself logs it. */
  private static final Pattern LOADED = Pattern.compile("\\[class,load *\\] (\\S+) source: .*");

  private static final Pattern BOUND =
      Pattern.compile("\\[(?:Dynamic-linking|Registering JNI) native method (\\S+?)(?: .*)?\\]");

  /** Threads that may do something of the kind while the JVM comes to be initialised. */
  private static final int AT_ONCE = 4;

  private static final String ALL =
      "record=early_class_hooks+class_load+class_prepare+thread_start+native_method_bind"
          + "+early_vm_start+vm_init";

  @Test
  void classFilesAreThoseOfTheJvmsOwnLog() {
    ChildResult child =
        child("record=class_file_load_hook+vm_init").jvmArgs("-Xlog:class+load").run().succeeds();
    List<String> files = told(child, CLASS_FILE_LOAD_HOOK);
    assertThat(files).isNotEmpty().allMatch(line -> line.startsWith("START "));
    Set<String> names = names(files);
    List<String> loaded = loaded(child);
    int first = loaded.size() - loadedSince(loaded, names).size();
    assertThat(first).as("some are loaded before the start phase").isPositive();
    assertSame(names, loaded.subList(first, loaded.size()));
  }

  /** From where on what was loaded is among the names. */
  private static List<String> loadedSince(List<String> loaded, Set<String> names) {
    int first = 0;
    while (!names.contains(loaded.get(first))) {
      first++;
    }
    return loaded.subList(first, loaded.size());
  }

  @Test
  void earlyOnesAreAllThatTheJvmLoadsBeforeItIsInitialised() {
    ChildResult child =
        child("record=early_class_hooks").jvmArgs("-Xlog:class+load").run().succeeds();
    List<String> files = told(child, CLASS_FILE_LOAD_HOOK);
    assertThat(files)
        .anyMatch(line -> line.startsWith("PRIMORDIAL java.lang.Object "))
        .anyMatch(line -> line.startsWith("START "));
    Set<String> names = names(files);
    List<String> loaded = loaded(child);
    assertThat(names).hasSizeGreaterThan(300);
    assertSame(names, loaded);
    assertThat(child.outLines())
        .as("there is no archive of classes")
        .noneMatch(line -> line.endsWith("source: shared objects file"));
  }

  @Test
  void nativeMethodsAreThoseOfTheJvmsOwnLog() {
    ChildResult child =
        child("record=native_method_bind").jvmArgs("-Xlog:jni+resolve=debug").run().succeeds();
    List<String> bound =
        told(child, NATIVE_METHOD_BIND).stream().map(EarlyEventsTest::name).toList();
    assertThat(bound).hasSizeGreaterThan(100);
    assertSame(bound, found(child, BOUND));
    assertThat(told(child, NATIVE_METHOD_BIND)).anyMatch(line -> line.startsWith("PRIMORDIAL "));
  }

  /** All that is told is logged, and the other way round, but for what is just done at the end. */
  private static void assertSame(Collection<String> told, List<String> logged) {
    assertThat(logged).containsAll(told);
    assertThat(told).containsAll(logged.subList(0, Math.max(0, told.size() - AT_ONCE)));
  }

  private static ChildJvm child(String options) {
    return ChildJvm.of(Tells.class).agent(options);
  }

  /** Prints what was recorded. */
  static final class Tells {
    public static void main(String[] args) {
      EarlyEvents early = Agent.earlyEvents();
      assertThat(early.lost()).isZero();
      for (EarlyEvent event : early.events()) {
        String method = event.methodName().map(name -> "." + name).orElse("");
        System.out.println(
            "told "
                + event.kind()
                + " "
                + event.phase()
                + " "
                + event.className().orElse("none")
                + method
                + " "
                + event);
      }
    }
  }

  /** Phase, name, and the rest. */
  private static List<String> told(ChildResult child, EarlyEventKind kind) {
    String start = "told " + kind + " ";
    return child.outLines().stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .toList();
  }

  private static String name(String told) {
    return told.split(" ")[1];
  }

  private static Set<String> names(List<String> told) {
    return told.stream().map(EarlyEventsTest::name).collect(Collectors.toSet());
  }

  /** The names of classes that are made of a class file. */
  private static List<String> loaded(ChildResult child) {
    return found(child, LOADED).stream()
        .filter(name -> !name.contains("/0x") && !name.contains("$$Lambda"))
        .distinct()
        .toList();
  }

  private static List<String> found(ChildResult child, Pattern pattern) {
    return child.outLines().stream()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  @Test
  void phasesAndTimesGoOnAndTheLastOneIsTheEnd() {
    ChildJvm.of(Everything.class).agent(ALL).run().succeeds().err().isEmpty();
  }

  static final class Everything {
    public static void main(String[] args) throws Exception {
      EarlyEvents early = Agent.earlyEvents();
      List<EarlyEvent> events = early.events();
      assertThat(early.kinds()).containsExactly(EarlyEventKind.values());
      assertThat(early.lost()).isZero();
      for (EarlyEventKind kind : EarlyEventKind.values()) {
        assertThat(early.of(kind)).as(kind.name()).isNotEmpty();
      }
      assertThat(events).extracting(EarlyEvent::after).isSorted();
      assertThat(events).extracting(EarlyEvent::phase).isSorted();
      assertThat(events.get(events.size() - 1).kind()).isEqualTo(VM_INIT);
      assertThat(early.of(VM_INIT)).extracting(EarlyEvent::phase).containsExactly(Phase.LIVE);
      assertThat(early.of(VM_START)).extracting(EarlyEvent::phase).containsExactly(Phase.START);
      Instant started = Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
      assertThat(early.began()).isBetween(started.minusSeconds(5), started.plusSeconds(5));
      Duration all = events.get(events.size() - 1).after();
      assertThat(early.began().plus(all)).isBeforeOrEqualTo(Instant.now());
      whatTheySay(early);
      asText(early);
      // With the library's own thread there, nothing of it is left to be recorded.
      try (Jvmti jvmti = Jvmti.open()) {
        new Thread(() -> {}).start();
        assertThat(jvmti.classes().loaded()).isNotEmpty();
      }
      assertThat(Agent.earlyEvents()).isEqualTo(early);
    }

    private static void whatTheySay(EarlyEvents early) throws ClassNotFoundException {
      for (EarlyEvent event : early.of(CLASS_FILE_LOAD_HOOK)) {
        assertThat(event.fileSize().orElseThrow()).isPositive();
      }
      for (EarlyEvent event : early.of(CLASS_PREPARE)) {
        String name = event.className().orElseThrow();
        if (!name.contains("/")) {
          assertThat(Class.forName(name, false, null).getName()).isEqualTo(name);
        }
      }
      assertThat(early.of(CLASS_LOAD)).hasSizeGreaterThan(10);
      Set<String> threads =
          Thread.getAllStackTraces().keySet().stream()
              .map(Thread::getName)
              .collect(Collectors.toSet());
      assertThat(early.of(THREAD_START))
          .allSatisfy(event -> assertThat(threads).contains(event.threadName().orElseThrow()))
          .anySatisfy(event -> assertThat(event.threadName()).contains("Reference Handler"));
      assertThat(early.of(NATIVE_METHOD_BIND))
          .allSatisfy(event -> assertThat(event.address().orElseThrow().value()).isNotZero())
          .anySatisfy(
              event -> {
                assertThat(event.className()).contains("java.lang.Object");
                assertThat(event.methodName()).contains("hashCode");
                assertThat(event.methodSignature()).contains("()I");
              });
    }

    private static void asText(EarlyEvents early) throws Exception {
      JsonNode json = new ObjectMapper().readTree(early.toJson());
      assertThat(Instant.parse(json.get("began").asText())).isEqualTo(early.began());
      assertThat(json.get("kinds")).hasSize(early.kinds().size());
      assertThat(json.get("events")).hasSize(early.events().size());
      for (int i = 0; i < early.events().size(); i++) {
        EarlyEvent event = early.events().get(i);
        JsonNode node = json.get("events").get(i);
        assertThat(node.get("kind").asText()).isEqualToIgnoringCase(event.kind().name());
        assertThat(node.get("after").asLong()).isEqualTo(event.after().toNanos());
        assertThat(node.get("class").asText(null)).isEqualTo(event.className().orElse(null));
        assertThat(node.get("thread").asText(null)).isEqualTo(event.threadName().orElse(null));
        assertThat(node.get("fileSize").isNull()).isEqualTo(event.fileSize().isEmpty());
      }
      assertThat(early.toString().lines()).hasSize(early.events().size() + 1);
    }
  }

  @Test
  void withoutTheOptionNothingIsRecorded() {
    ChildJvm.of(Nothing.class).agent("").run().succeeds();
    ChildJvm.of(Nothing.class).run().succeeds();
  }

  static final class Nothing {
    public static void main(String[] args) {
      EarlyEvents early = Agent.earlyEvents();
      assertThat(early.kinds()).isEmpty();
      assertThat(early.events()).isEmpty();
    }
  }

  @Test
  void theJvmStartsSoonerOnlyIfThatIsAsked() {
    int late = told(child("record=class_load+vm_start").run().succeeds(), CLASS_LOAD).size();
    int early = told(child("record=class_load+early_vm_start").run().succeeds(), CLASS_LOAD).size();
    assertThat(early).isGreaterThan(late);
  }

  @Test
  void itHasEndedWhenTheAgentRunsAClass() {
    child("run=io.jvmtools.lifecycle.EarlyEventsTest$Ended,record=vm_init")
        .run()
        .succeeds()
        .out()
        .contains("ended");
  }

  static final class Ended {
    public static void main(String[] args) {
      assertThat(Agent.earlyEvents().of(VM_INIT)).hasSize(1);
      System.out.println("ended");
    }
  }

  @Test
  void anAttachedAgentComesTooLate() {
    try (RunningChild child = ChildJvm.of(Report.class).args("refused").start()) {
      child.await("ready");
      ChildResult attacher =
          AttachTo.with(Installation.library(), child.pid(), "record=thread_start");
      assertThat(attacher.line("refused: ")).contains(Long.toString(child.pid()));
      child.say("refused");
      child
          .end()
          .succeeds()
          .err()
          .filteredOn(line -> line.startsWith("jvmtools: "))
          .singleElement()
          .asString()
          .contains("option 'record' works only when the JVM starts with the agent");
    }
  }
}
