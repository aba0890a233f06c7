package io.jvmtools.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The demonstration, run as a user runs it: what it says about the database is so. */
class E01LookInsideTest {

  private static final String ROW_LOCK = "org.h2.mvstore.tx.Transaction.waitForThisToEnd";
  private static final String LINK = "org.h2.table.TableLink.execute";

  private static ChildResult text;
  private static ChildResult jsonRun;
  private static JsonNode json;

  @BeforeAll
  static void runIt() throws Exception {
    String options = "prepare=can_access_local_variables+can_generate_breakpoint_events";
    ChildJvm example = ChildJvm.named("io.jvmtools.examples.E01LookInside").agent(options);
    text = example.run().succeeds();
    jsonRun = example.args("--json").run().succeeds();
    json =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readTree(String.join("\n", jsonRun.outLines()));
  }

  @Test
  void theTextFitsAHundredColumnsAndHasNoColours() {
    text.out().allMatch(line -> line.codePointCount(0, line.length()) <= 100);
    text.out().noneMatch(line -> line.indexOf('\u001b') >= 0);
  }

  @Test
  void progressIsOnStandardError() {
    for (ChildResult run : List.of(text, jsonRun)) {
      run.err().last().asString().startsWith("Loading H2: 200,000 of 200,000 rows");
    }
  }

  @Test
  void theTellersWaitForTheRowAsTheDatabaseSays() {
    JsonNode group = groupOf("waiting", "teller-2");
    assertThat(texts(group.get("threads"))).containsExactly("teller-2", "teller-3", "teller-4");
    assertThat(group.get("state").asText()).isEqualTo("alive, waiting, timed, in Object.wait");
    assertThat(frame(group, ROW_LOCK).get("line").asInt()).isPositive();

    JsonNode blockers = json.get("blockers");
    assertThat(names(blockers)).containsExactlyInAnyOrderElementsOf(texts(group.get("threads")));
    assertThat(blockers).allMatch(blocker -> blocker.asText().equals("teller-1"));
    frame(
        groupOf("waiting", "teller-1"),
        "io.jvmtools.examples.H2Workload.withdrawAndForgetToCommit");
  }

  @Test
  void theAuditorsAreBlockedOnTheLinkThatTheFirstOneKeeps() {
    JsonNode first = groupOf("waiting", "auditor-1");
    assertThat(frame(first, ROW_LOCK).get("file").asText()).isEqualTo("Transaction.java");
    frame(first, LINK);

    assertThat(threads("blocked")).containsExactly("auditor-2", "auditor-3");
    JsonNode group = groupOf("blocked", "auditor-2");
    assertThat(group.get("state").asText()).isEqualTo("alive, blocked on monitor enter");
    assertThat(method(group.get("frames").get(0))).isEqualTo(LINK);
  }

  @Test
  void theLockThatTheAuditorsWaitForIsHeldByTheFirstOne() {
    List<JsonNode> locks = new ArrayList<>();
    for (JsonNode lock : json.get("locks")) {
      if (texts(lock.get("threads")).contains("auditor-2")) {
        locks.add(lock);
      }
    }
    assertThat(locks).hasSize(1);
    JsonNode lock = locks.get(0);
    assertThat(texts(lock.get("threads"))).containsExactly("auditor-2", "auditor-3");
    assertThat(lock.get("holder").asText()).isEqualTo("auditor-1");
    assertThat(lock.get("class").asText()).startsWith("org.h2.");
    assertThat(method(lock.get("where"))).isEqualTo(LINK);
    assertThat(lock.get("where").get("line").asInt()).isPositive();
    assertThat(json.get("deadlocks").asInt()).isZero();
    assertThat(json.get("consistency").asText()).isEqualTo("SUSPENDED");

    text.out()
        .containsSubsequence("  auditor-2, auditor-3 for", "  no deadlock")
        .anyMatch(line -> line.matches("  held by \"auditor-1\" #\\d+, locked by it in"));
  }

  @Test
  void theLookupsAreParkedAndVirtualWhereTheJdkHasSuchThreads() {
    JsonNode group = groupOf("waiting", "lookup-1");
    assertThat(group.get("threads")).hasSize(6);
    assertThat(group.get("state").asText()).isEqualTo("alive, waiting, indefinitely, parked");
    assertThat(methods(group).anyMatch(method -> method.startsWith("java.lang.VirtualThread.")))
        .isEqualTo(Installation.feature() >= 21);
  }

  @Test
  void everybodyElseIsRunning() {
    assertThat(threads("waiting")).hasSize(11);
    assertThat(threads("running")).containsExactly("main");
    assertThat(Stream.of("running", "blocked", "waiting").flatMap(E01LookInsideTest::allThreads))
        .contains("report-1", "report-2", "report-3")
        .doesNotHaveDuplicates();
  }

  @Test
  void processorTimeIsSortedAndThePoolHasUsedSome() {
    JsonNode table = json.get("cpu");
    List<Long> nanos = new ArrayList<>();
    List<String> users = new ArrayList<>();
    double shares = 0;
    for (JsonNode row : table) {
      nanos.add(row.get("nanos").asLong());
      shares += row.get("share").asDouble();
      if (row.get("nanos").asLong() > 0) {
        users.add(row.get("thread").asText());
      }
    }
    assertThat(nanos).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(shares).isCloseTo(1, within(1e-9));
    assertThat(users).contains("main", "report-1", "report-2", "report-3");
  }

  @Test
  void theCapabilityTableIsThatOfThisJvm() {
    JsonNode capabilities = json.get("capabilities");
    assertThat(capabilities).hasSize(45);
    assertThat(capabilities.get("CAN_TAG_OBJECTS").asText()).isEqualTo("HELD");
    assertThat(capabilities.get("CAN_GET_LINE_NUMBERS").asText()).isEqualTo("NOT_REQUESTED");
    assertThat(capabilities.get("CAN_FORCE_EARLY_RETURN").asText()).isEqualTo("NOT_REQUESTED");
    assertThat(capabilities.get("CAN_POP_FRAME").asText()).isEqualTo("NEEDS_AGENT_AT_START");
    assertThat(capabilities.get("CAN_SUPPORT_VIRTUAL_THREADS").asText())
        .isEqualTo(Installation.feature() >= 21 ? "NOT_REQUESTED" : "NEVER_ON_THIS_VM");
    text.out().contains("held (11)");
  }

  @Test
  void everyTaggedRowIsFoundAgain() {
    List<Integer> tags = new ArrayList<>();
    for (JsonNode row : json.get("taggedRows")) {
      tags.add(row.get("tag").asInt());
      assertThat(row.get("class").asText()).isEqualTo("org.h2.result.DefaultRow");
      assertThat(row.get("text").asText()).contains("'customer " + row.get("tag").asInt() + "'");
      assertThat(row.get("bytes").asLong()).isPositive();
    }
    assertThat(tags).isEqualTo(IntStream.rangeClosed(1, 1_000).boxed().toList());
    text.out().anyMatch(line -> line.startsWith("  1,000 rows, "));
  }

  @Test
  void theTellerHoldsTheTransactionThatItWaitsForAndItsLimit() {
    JsonNode teller = standing("teller-2");
    assertThat(method(teller.get("frame"))).isEqualTo(ROW_LOCK);
    // H2 is compiled without names of variables.
    assertThat(teller.get("locals").get("this").asText())
        .startsWith("org.h2.mvstore.tx.Transaction@");
    assertThat(teller.get("locals").get("arg1").asText())
        .startsWith("org.h2.mvstore.tx.Transaction@")
        .isNotEqualTo(teller.get("locals").get("this").asText());
    assertThat(texts(teller.get("code"))).anyMatch(line -> line.contains("invokevirtual"));
    text.out().anyMatch(line -> line.matches("    >  +\\d+: invokevirtual #\\d+"));
  }

  @Test
  void theLookupHoldsTheNumberOfItsCustomer() {
    JsonNode lookup = standing("lookup-1");
    assertThat(method(lookup.get("frame"))).isEqualTo("io.jvmtools.examples.H2Workload.lookUp");
    assertThat(lookup.get("locals").get("id").asText()).isEqualTo("1000");
    text.out().contains("      id = 1000");
  }

  @Test
  void aClassOfTheDatabaseIsAnotherOneForAMoment() {
    JsonNode onTheFly = json.get("onTheFly");
    assertThat(onTheFly.get("before").asText()).contains("ACCOUNT.tableScan");
    assertThat(onTheFly.get("during").asText())
        .isEqualTo(onTheFly.get("before").asText().replace("tableScan", "allTheRows"));
    assertThat(onTheFly.get("after")).isEqualTo(onTheFly.get("before"));
    text.out().anyMatch(line -> line.matches("  during .*PUBLIC.ACCOUNT.allTheRows.*"));
  }

  @Test
  void theTwoAuditorsHaveWaitedForTheLink() {
    JsonNode contention = json.get("contention");
    assertThat(contention.get("unit").asText()).isEqualTo("nanoseconds");
    List<JsonNode> finding = new ArrayList<>();
    for (JsonNode entry : contention.get("entries")) {
      List<String> stack = methodsOf(entry.get("stack"));
      if (stack.get(0).equals(LINK) && stack.get(1).equals("org.h2.index.LinkedIndex.find")) {
        finding.add(entry);
      }
    }
    assertThat(finding).hasSize(1);
    JsonNode auditors = finding.get(0);
    assertThat(auditors.get("class").asText()).isEqualTo("org.h2.table.TableLinkConnection");
    assertThat(auditors.get("count").asInt()).isEqualTo(2);
    assertThat(auditors.get("amount").asLong()).isPositive();
    text.out().anyMatch(line -> line.matches(" +\\d+\\.\\d{3} s +2 times  TableLinkConnection"));
  }

  @Test
  void allocationsAreThoseOfTheReports() {
    JsonNode allocations = json.get("allocations");
    assertThat(allocations.get("unit").asText()).isEqualTo("bytes");
    assertThat(allocations.get("count").asInt()).isGreaterThanOrEqualTo(500);
    List<Long> amounts = new ArrayList<>();
    for (JsonNode entry : allocations.get("entries")) {
      amounts.add(entry.get("amount").asLong());
      assertThat(methodsOf(entry.get("stack")))
          .doesNotContain("io.jvmtools.examples.E01LookInside.main");
    }
    assertThat(amounts)
        .isSortedAccordingTo((a, b) -> Long.compare(b, a))
        .allMatch(amount -> amount > 0);
    assertThat(methodsOf(allocations.get("entries").get(0).get("stack")))
        .contains("io.jvmtools.examples.H2Workload.report");
    text.out()
        .anyMatch(
            line -> line.matches("ALLOCATED BY THE REPORTS  as \\d+ samples let estimate .*"));
  }

  @Test
  void theExceptionIsTheOneThatTheStatementGot() {
    JsonNode failed = json.get("failed");
    String statement = failed.get("statement").asText();
    JsonNode snapshot = failed.get("snapshot");
    JsonNode exception = snapshot.get("exception");
    String made = exception.get("text").asText();
    assertThat(made)
        .isEqualTo("org.h2.jdbc.JdbcSQLSyntaxErrorException: Table \"ACOUNT\" not found");
    assertThat(failed.get("message").asText())
        .startsWith(made.substring(made.indexOf(' ') + 1) + "; SQL statement:\n" + statement);
    assertThat(snapshot.get("thread").asText()).isEqualTo("main");
    assertThat(methodsOf(snapshot.get("frames")).get(0))
        .isEqualTo("org.h2.message.DbException.getJdbcSQLException");
    assertThat(variable(snapshot, "org.h2.command.Parser.prepareCommand", "arg0"))
        .isEqualTo('"' + statement + '"');
    text.out().contains("  " + statement, "  " + made, "      arg0 = \"" + statement + '"');
  }

  @Test
  void theFirstUpdateIsThatOfTheFirstTeller() {
    JsonNode update = json.get("update");
    JsonNode snapshot = update.get("snapshot");
    String place = "org.h2.jdbc.JdbcStatement.execute";
    String run = "io.jvmtools.examples.H2Bank.run";
    assertThat(snapshot.get("place").asText()).isEqualTo(place);
    assertThat(snapshot.get("thread").asText()).isEqualTo("teller-1");
    assertThat(methodsOf(snapshot.get("frames")))
        .containsExactly(place, run, "io.jvmtools.examples.H2Workload.withdrawAndForgetToCommit");
    String sql = "\"UPDATE account SET balance = balance - 1 WHERE id = 1\"";
    assertThat(variable(snapshot, place, "arg0")).isEqualTo(sql);
    assertThat(variable(snapshot, run, "sql")).isEqualTo(sql);
    // The tables, the rows of the ledger, and the batches of those of the bank.
    assertThat(update.get("unmatched").asInt()).isGreaterThanOrEqualTo(4 + 20);
    text.out().contains("      sql = " + sql);
  }

  private static String variable(JsonNode snapshot, String method, String name) {
    for (JsonNode frame : snapshot.get("frames")) {
      for (JsonNode variable : frame.get("variables")) {
        if (method(frame).equals(method) && variable.get("name").asText().equals(name)) {
          return variable.get("value").get("text").asText();
        }
      }
    }
    throw new AssertionError(name + " of " + method + " in " + snapshot.toPrettyString());
  }

  @Test
  void theTextTellsTheSameAsTheJson() {
    text.out().anyMatch(line -> line.startsWith("BLOCKED  2 threads"));
    for (String doing : List.of("blocked", "waiting")) {
      for (JsonNode group : json.get(doing)) {
        String names = String.join(", ", texts(group.get("threads")));
        if (!names.contains("report-")) {
          text.out().contains("  " + names + ": " + group.get("state").asText());
        }
      }
    }
    text.out().contains("  teller-2 for teller-1");
    text.out().anyMatch(line -> line.startsWith("PROCESSOR TIME"));
  }

  private static JsonNode standing(String thread) {
    for (JsonNode standing : json.get("standing")) {
      if (standing.get("thread").asText().equals(thread)) {
        return standing;
      }
    }
    throw new AssertionError("nothing of " + thread + "\n" + jsonRun.transcript());
  }

  private static JsonNode groupOf(String doing, String thread) {
    for (JsonNode group : json.get(doing)) {
      if (texts(group.get("threads")).contains(thread)) {
        return group;
      }
    }
    throw new AssertionError(thread + " is not " + doing + "\n" + jsonRun.transcript());
  }

  /** The threads but for the pool, which H2 itself may stop for a moment. */
  private static Set<String> threads(String doing) {
    Set<String> threads = new TreeSet<>(allThreads(doing).toList());
    threads.removeIf(thread -> thread.startsWith("report-"));
    return threads;
  }

  private static Stream<String> allThreads(String doing) {
    return json.get(doing).findValues("threads").stream().flatMap(names -> texts(names).stream());
  }

  private static JsonNode frame(JsonNode group, String method) {
    for (JsonNode frame : group.get("frames")) {
      if (method(frame).equals(method)) {
        return frame;
      }
    }
    throw new AssertionError("no " + method + " in " + group.toPrettyString());
  }

  private static Stream<String> methods(JsonNode group) {
    return methodsOf(group.get("frames")).stream();
  }

  private static List<String> methodsOf(JsonNode frames) {
    List<String> methods = new ArrayList<>();
    frames.forEach(frame -> methods.add(method(frame)));
    return methods;
  }

  private static String method(JsonNode frame) {
    return frame.get("class").asText() + "." + frame.get("method").asText();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
