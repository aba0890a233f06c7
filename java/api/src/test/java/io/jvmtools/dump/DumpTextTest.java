package io.jvmtools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.code.FabricatedMethod;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Escapes;
import io.jvmtools.internal.JsonWriter;
import io.jvmtools.internal.code.MethodFacts;
import io.jvmtools.stack.FabricatedStack;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.thread.ThreadState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The text and the JSON of a dump, from made-up threads. */
class DumpTextTest {

  private static final DumpedLock CART = lock("com.acme.Cart", 0x1b6d3586);
  private static final DumpedLock SYNC =
      lock("java.util.concurrent.locks.ReentrantLock$NonfairSync", 0x2a);
  private static final DumpedLock TYPE =
      new DumpedLock("java.lang.Class", 7, Optional.of("com.acme.Shop"));

  private static final DumpHeader HEADER =
      new DumpHeader(Instant.parse("2026-01-31T12:00:00Z"), OptionalLong.of(4712), "Acme VM 21");
  private static final ThreadDump DUMP = dump();

  @Test
  void theTextIsLikeThatOfTheJvm() {
    assertThat(DUMP.toString())
        .isEqualToNormalizingNewlines(
            """
            2026-01-31T12:00:00Z
            Thread dump of process 4712, Acme VM 21: its threads stood still

            "left" #21 daemon prio=5 cpu=12.35ms elapsed=98.77s nid=4711 carries="" #87
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat io.jvmtools.dump.DumpTextTest$Shop.sell(Shop.java:8)
            \t- waiting to lock <0x1b6d3586> (a com.acme.Cart) owned by "ri\\nght" #22
            \t  count = 3
            \t  name = "x\\"y"
            \tat io.jvmtools.dump.DumpTextTest$Shop.run(Shop.java:4)
            \t- locked <0x00000007> (a java.lang.Class for com.acme.Shop)

               Locked by native code:
            \t- <0x1b6d3586> (a com.acme.Cart)

               Locked ownable synchronizers:
            \t- <0x0000002a> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

            "ri\\nght" #22 prio=5 virtual carrier="carrier" #30 container=acme.Scope@1 of "request" #21
               java.lang.Thread.State: WAITING (parking)
            \tat io.jvmtools.dump.DumpTextTest$Shop.park(Native Method)
            \t- parking to wait for <0x0000002a> (a java.util.concurrent.locks.ReentrantLock$NonfairSync) owned by "left" #21
            \tat io.jvmtools.dump.DumpTextTest$Shop.sell(Shop.java:9)
            \t- locked <0x1b6d3586> (a com.acme.Cart)

            "idle" #23 prio=1 interrupted suspended
               java.lang.Thread.State: TIMED_WAITING (sleeping)

            Found 1 deadlock:

            2 threads wait for each other:
            "left" #21 is waiting to lock <0x1b6d3586> (a com.acme.Cart)
            \tat io.jvmtools.dump.DumpTextTest$Shop.sell(Shop.java:8)
              which is held by "ri\\nght" #22
            \tat io.jvmtools.dump.DumpTextTest$Shop.sell(Shop.java:9)
            "ri\\nght" #22 is parking to wait for <0x0000002a> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            \tat io.jvmtools.dump.DumpTextTest$Shop.park(Native Method)
              which is held by "left" #21

            3 threads, 1 virtual: 1 BLOCKED, 1 WAITING, 1 TIMED_WAITING
            Not known: local variables: no\
            """);
  }

  @Test
  void whatIsNotKnownFitsATerminal() {
    String line = "Not known: " + "why it is not ".repeat(20) + "long".repeat(40) + " and more";
    ThreadDump dump =
        new ThreadDump(
            HEADER,
            DumpConsistency.SUSPENDED,
            List.of(),
            List.of(),
            true,
            List.of(line.substring("Not known: ".length())));
    List<String> lines =
        dump.toString().lines().dropWhile(one -> !one.startsWith("Not known: ")).toList();
    assertThat(lines)
        .filteredOn(one -> one.length() > 100)
        .containsExactly("  " + "long".repeat(40));
    assertThat(lines.subList(1, lines.size())).allMatch(one -> one.startsWith("  "));
    assertThat(lines).hasSizeGreaterThan(4);
    assertThat(lines.stream().map(String::strip).collect(Collectors.joining(" "))).isEqualTo(line);
  }

  @Test
  void partsPrintAsInTheWhole() {
    String whole = DUMP.toString();
    for (DumpedThread thread : DUMP.threads()) {
      assertThat(whole).contains(thread.toString());
      thread
          .frames()
          .forEach(frame -> assertThat(thread.toString()).contains("\tat " + frame.frame()));
    }
    assertThat(whole).contains(DUMP.deadlocks().get(0).toString());
    assertThat(DUMP.threads().get(0).frames().get(1))
        .hasToString(
            "io.jvmtools.dump.DumpTextTest$Shop.run(Shop.java:4)"
                + System.lineSeparator()
                + "\t- locked <0x00000007> (a java.lang.Class for com.acme.Shop)");
  }

  @Test
  void aDeadlockIsWhereTheProgramIsAndNotWhatWaitsForIt() {
    StackTrace stack =
        FabricatedStack.of(
            new JvmMethod[] {
              method(System.class, "parkVirtualThread", 1),
              method(LockSupport.class, "park", 2),
              method(Shop.class, "sell", 3),
              method(Thread.class, "run", 4)
            },
            new long[] {1, 2, 3, 4});
    DumpedThread waiter =
        new DumpedThread(
            new ThreadIdentity("waiter", 1, true, true, 5, Optional.empty()),
            ThreadHost.NOT_KNOWN,
            ThreadState.of(FabricatedFacts.PARKED),
            stack,
            false,
            -1,
            wait(DumpedWait.Kind.PARKED, SYNC, new DumpedName("waiter", 1)),
            true,
            Map.of(),
            List.of(),
            Map.of());
    assertThat(new Deadlock(List.of(waiter)).toString().lines())
        .filteredOn(line -> line.startsWith("\tat "))
        .containsExactly("\tat io.jvmtools.dump.DumpTextTest$Shop.sell(Shop.java:3)");
  }

  @Test
  void theJsonIsAllThereIs() throws Exception {
    JsonNode json = new ObjectMapper().readTree(DUMP.toJson());
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"takenAt": "2026-01-31T12:00:00Z", "processId": 4712, "vm": "Acme VM 21",
                 "consistency": "SUSPENDED",
                 "threads": [
                  {"name": "left", "id": 21, "virtual": false, "daemon": true, "priority": 5,
                   "group": "ma\\"in", "state": "BLOCKED",
                   "flags": ["ALIVE", "BLOCKED_ON_MONITOR_ENTER"], "cpuNanos": 12345678,
                   "elapsedNanos": 98765432100, "nativeId": 4711,
                   "carrier": null, "carried": {"name": "", "id": 87}, "container": null, "containerOwner": null,
                   "waitsFor": {"kind": "MONITOR",
                     "lock": {"class": "com.acme.Cart", "identityHash": 460141958, "mirrored": null},
                     "owner": {"name": "ri\\nght", "id": 22},
                     "ownerHasEnded": false},
                   "ownedLocks": [{
                     "class": "java.util.concurrent.locks.ReentrantLock$NonfairSync",
                     "identityHash": 42, "mirrored": null}],
                   "monitorsKnown": true, "monitorsOfNoFrame": [
                     {"class": "com.acme.Cart", "identityHash": 460141958, "mirrored": null}],
                   "frames": [
                    {"class": "io.jvmtools.dump.DumpTextTest$Shop", "method": "sell", "signature": "()V",
                     "file": "Shop.java", "line": 8, "module": null, "location": 8, "native": false,
                     "monitors": [],
                     "locals": [{"name": "count", "signature": "I", "value": "3"},
                       {"name": "name", "signature": "Ljava/lang/String;",
                        "value": "\\"x\\\\\\"y\\""}]},
                    {"class": "io.jvmtools.dump.DumpTextTest$Shop", "method": "run", "signature": "()V",
                     "file": "Shop.java", "line": 4, "module": null, "location": 4, "native": false,
                     "monitors": [{"class": "java.lang.Class", "identityHash": 7,
                       "mirrored": "com.acme.Shop"}],
                     "locals": []}], "moreFrames": false},
                  {"name": "ri\\nght", "id": 22, "virtual": true, "daemon": false, "priority": 5,
                   "group": "ma\\"in", "state": "WAITING",
                   "flags": ["ALIVE", "WAITING", "WAITING_INDEFINITELY", "PARKED"],
                   "cpuNanos": null, "elapsedNanos": null, "nativeId": null,
                   "carrier": {"name": "carrier", "id": 30}, "carried": null, "container": "acme.Scope@1",
                   "containerOwner": {"name": "request", "id": 21},
                   "waitsFor": {"kind": "PARKED",
                     "lock": {"class": "java.util.concurrent.locks.ReentrantLock$NonfairSync",
                       "identityHash": 42, "mirrored": null},
                     "owner": {"name": "left", "id": 21},
                     "ownerHasEnded": false},
                   "ownedLocks": [], "monitorsKnown": true, "monitorsOfNoFrame": [],
                   "frames": [
                    {"class": "io.jvmtools.dump.DumpTextTest$Shop", "method": "park", "signature": "()V",
                     "file": "Shop.java", "line": null, "module": null, "location": -1,
                     "native": true, "monitors": [], "locals": []},
                    {"class": "io.jvmtools.dump.DumpTextTest$Shop", "method": "sell", "signature": "()V",
                     "file": "Shop.java", "line": 9, "module": null, "location": 9, "native": false,
                     "monitors": [
                       {"class": "com.acme.Cart", "identityHash": 460141958, "mirrored": null}],
                     "locals": []}], "moreFrames": false},
                  {"name": "idle", "id": 23, "virtual": false, "daemon": false, "priority": 1,
                   "group": null, "state": "TIMED_WAITING",
                   "flags": ["ALIVE", "WAITING", "WAITING_WITH_TIMEOUT", "SLEEPING", "SUSPENDED",
                     "INTERRUPTED"],
                   "cpuNanos": null, "elapsedNanos": null, "nativeId": null,
                   "carrier": null, "carried": null, "container": null, "containerOwner": null, "waitsFor": null,
                   "ownedLocks": [],
                   "monitorsKnown": false, "monitorsOfNoFrame": [],
                   "frames": [], "moreFrames": false}],
                 "deadlocks": [{"threads": [21, 22]}], "unknown": ["local variables: no"]}
                """);
    assertThat(json).isEqualTo(expected);
    assertThat(DUMP.toJson()).doesNotContain("\n");
  }

  @Test
  void theJsonCanBeWrittenPieceByPiece() throws Exception {
    StringBuilder written = new StringBuilder();
    DUMP.writeJson(written);
    assertThat(written).hasToString(DUMP.toJson());
    IOException full = new IOException("full");
    assertThatThrownBy(() -> DUMP.writeJson(new Full(full))).isSameAs(full);
  }

  /** A disk. */
  private record Full(IOException exception) implements Appendable {
    @Override
    public Appendable append(CharSequence text) throws IOException {
      throw exception;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) throws IOException {
      throw exception;
    }

    @Override
    public Appendable append(char c) throws IOException {
      throw exception;
    }
  }

  @Test
  void threadsThatDoTheSameShareABlock() {
    List<DumpedThread> workers = new ArrayList<>();
    for (int id = 1; id <= 7; id++) {
      workers.add(idle("worker-" + id, id));
    }
    workers.add(1, DUMP.threads().get(0));
    ThreadDump dump =
        new ThreadDump(HEADER, DumpConsistency.SUSPENDED, workers, List.of(), true, List.of());
    String name = "\"worker-%d\" #%d";
    assertThat(dump.toGroupedString().lines())
        .contains(
            "7 threads: "
                + IntStream.rangeClosed(1, 5)
                    .mapToObj(id -> name.formatted(id, id))
                    .collect(Collectors.joining(", "))
                + " and 2 more interrupted suspended",
            "8 threads, 0 virtual: 1 BLOCKED, 7 TIMED_WAITING")
        .filteredOn(line -> line.contains("java.lang.Thread.State"))
        .hasSize(2);
    String alone = DUMP.threads().get(0).toString();
    assertThat(dump.toGroupedString()).contains(alone);
  }

  @Test
  void whoIsSuspendedOrInterruptedIsNotAmongTheOthers() {
    int waiting = 0xe1;
    int suspended = waiting | 0x100000;
    List<DumpedThread> workers =
        List.of(
            idle("a", 1, waiting),
            idle("b", 2, waiting),
            idle("c", 3, suspended),
            idle("d", 4, suspended),
            idle("e", 5, waiting | 0x200000));
    ThreadDump dump =
        new ThreadDump(HEADER, DumpConsistency.SUSPENDED, workers, List.of(), true, List.of());
    assertThat(dump.toGroupedString().lines())
        .contains(
            "2 threads: \"a\" #1, \"b\" #2",
            "2 threads: \"c\" #3, \"d\" #4 suspended",
            "\"e\" #5 prio=1 interrupted");
  }

  @Test
  void whoeverWaitsForAnObjectOfItsOwnIsAmongTheOthers() {
    DumpedLock shared = lock("com.acme.Queue", 7);
    List<DumpedThread> workers =
        List.of(
            waiting("a", 1, lock("com.acme.Cart", 1)),
            waiting("b", 2, lock("com.acme.Cart", 2)),
            waiting("c", 3, shared),
            waiting("d", 4, shared));
    ThreadDump dump =
        new ThreadDump(HEADER, DumpConsistency.SUSPENDED, workers, List.of(), true, List.of());
    assertThat(dump.toGroupedString().lines())
        .contains(
            "2 threads: \"a\" #1, \"b\" #2",
            "\t- waiting on <several> (a com.acme.Cart)",
            "2 threads: \"c\" #3, \"d\" #4",
            "\t- waiting on <0x00000007> (a com.acme.Queue)",
            "No deadlocks")
        .filteredOn(line -> line.contains("- locked <several> (a com.acme.Cart)"))
        .hasSize(1);
    assertThat(dump.toString()).contains("- waiting on <0x00000002> (a com.acme.Cart)");
  }

  private static DumpedThread waiting(String name, long id, DumpedLock lock) {
    return new DumpedThread(
        new ThreadIdentity(name, id, false, false, 1, Optional.empty()),
        ThreadHost.NOT_KNOWN,
        ThreadState.of(FabricatedFacts.IN_WAIT),
        stack("park", -1, "sell", 9),
        false,
        -1,
        new DumpedWait(DumpedWait.Kind.NOTIFICATION, Optional.of(lock), Optional.empty(), false),
        true,
        Map.of(1, List.of(lock)),
        List.of(),
        Map.of());
  }

  private static DumpedThread idle(String name, long id) {
    return idle(name, id, 0x3000e1);
  }

  private static DumpedThread idle(String name, long id, int state) {
    return new DumpedThread(
        new ThreadIdentity(name, id, false, false, 1, Optional.empty()),
        ThreadHost.NOT_KNOWN,
        ThreadState.of(state),
        stack(),
        false,
        -1,
        null,
        false,
        Map.of(),
        List.of(),
        Map.of());
  }

  @Test
  void anyTextSurvivesJson() throws Exception {
    String hostile =
        IntStream.range(0, 0x10000)
                .filter(c -> !Character.isSurrogate((char) c))
                .collect(
                    StringBuilder::new, (text, c) -> text.append((char) c), StringBuilder::append)
            + "\ud83d\ude00";
    StringBuilder written = new StringBuilder();
    new JsonWriter(written).begin('[').value(hostile).end(']');
    String json = written.toString();
    assertThat(new ObjectMapper().readTree(json).get(0).asText()).isEqualTo(hostile);
    assertThat(json.codePoints().noneMatch(Character::isISOControl)).isTrue();
  }

  @Test
  void halvesOfCharactersAreEscaped() {
    assertThat(Escapes.line("a\ud83db")).isEqualTo("a\\ud83db");
    assertThat(Escapes.line("\ude00")).isEqualTo("\\ude00");
    assertThat(Escapes.line("\ud83d\ud83d\ude00")).isEqualTo("\\ud83d\ud83d\ude00");
    assertThat(Escapes.line("it's \"so\" \\ \u001b[31m")).isEqualTo("it's \"so\" \\ \\u001b[31m");
  }

  @Test
  void localsPrintWithoutAskingTheirObjects() {
    Object hostile =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int hashCode() {
            throw new UnsupportedOperationException();
          }
        };
    assertThat(value("Z", 1)).isEqualTo("true");
    assertThat(value("B", -1)).isEqualTo("-1");
    assertThat(value("C", '\'')).isEqualTo("'\\''");
    assertThat(value("S", 0xFFFF)).isEqualTo("-1");
    assertThat(value("I", 0xFFFFFFFFL)).isEqualTo("-1");
    assertThat(value("J", Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(value("F", Float.floatToRawIntBits(1.5f))).isEqualTo("1.5");
    assertThat(value("D", Double.doubleToRawLongBits(-0.0))).isEqualTo("-0.0");
    assertThat(value("Lx;", null)).isEqualTo("null");
    assertThat(value("Lx;", hostile))
        .isEqualTo(
            hostile.getClass().getName()
                + "@"
                + Integer.toHexString(System.identityHashCode(hostile)));
    assertThat(value("[I", new int[0])).startsWith("[I@");
    assertThat(value("Lx;", "a".repeat(80))).isEqualTo('"' + "a".repeat(80) + '"');
    assertThat(value("Lx;", "a".repeat(81)))
        .isEqualTo('"' + "a".repeat(80) + "\"... (81 characters)");
  }

  private static String value(String signature, long bits) {
    return DumpedLocal.of("v", signature, bits, null).value();
  }

  private static String value(String signature, Object object) {
    return DumpedLocal.of("v", signature, 0, object).value();
  }

  private static ThreadDump dump() {
    DumpedThread left =
        new DumpedThread(
            new ThreadIdentity("left", 21, false, true, 5, Optional.of("ma\"in")),
            new ThreadHost(4711, 98_765_432_100L, null, new DumpedName("", 87), null, null),
            ThreadState.of(FabricatedFacts.BLOCKED),
            stack("sell", 8, "run", 4),
            false,
            12_345_678,
            wait(DumpedWait.Kind.MONITOR, CART, new DumpedName("ri\nght", 22)),
            true,
            Map.of(1, List.of(TYPE), DumpedThread.NO_FRAME, List.of(CART)),
            List.of(SYNC),
            Map.of(
                0,
                List.of(
                    DumpedLocal.of("count", "I", 3, null),
                    DumpedLocal.of("name", "Ljava/lang/String;", 0, "x\"y"))));
    DumpedThread right =
        new DumpedThread(
            new ThreadIdentity("ri\nght", 22, true, false, 5, Optional.of("ma\"in")),
            new ThreadHost(
                -1,
                -1,
                new DumpedName("carrier", 30),
                null,
                "acme.Scope@1",
                new DumpedName("request", 21)),
            ThreadState.of(FabricatedFacts.PARKED),
            stack("park", -1, "sell", 9),
            false,
            -1,
            wait(DumpedWait.Kind.PARKED, SYNC, left.asName()),
            true,
            Map.of(1, List.of(CART)),
            List.of(),
            Map.of());
    DumpedThread idle = idle("idle", 23);
    return new ThreadDump(
        HEADER,
        DumpConsistency.SUSPENDED,
        List.of(left, right, idle),
        List.of(new Deadlock(List.of(left, right))),
        true,
        List.of("local variables: no"));
  }

  private static DumpedWait wait(DumpedWait.Kind kind, DumpedLock lock, DumpedName owner) {
    return new DumpedWait(kind, Optional.of(lock), Optional.of(owner), false);
  }

  private static DumpedLock lock(String className, int hash) {
    return new DumpedLock(className, hash, Optional.empty());
  }

  /** Method names and lines, in turn; a line is a location as well, a negative one a native. */
  private static StackTrace stack(Object... frames) {
    JvmMethod[] methods = new JvmMethod[frames.length / 2];
    long[] locations = new long[methods.length];
    for (int i = 0; i < methods.length; i++) {
      int line = (int) frames[2 * i + 1];
      methods[i] = method(Shop.class, (String) frames[2 * i], line);
      locations[i] = line;
    }
    return FabricatedStack.of(methods, locations);
  }

  private static JvmMethod method(Class<?> type, String name, int line) {
    return FabricatedMethod.of(
        new MethodFacts(
            name.hashCode(),
            type,
            name,
            "()V",
            null,
            0,
            line < 0,
            false,
            "Shop.java",
            line < 0 ? new int[0] : new int[] {line, line}));
  }

  /** The class that the made-up methods are of. */
  private static final class Shop {}
}
