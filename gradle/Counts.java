import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Adds up the tests from the runners' own reports in {@code build/test-results}: what {@code cargo
 * test} printed, the JUnit XML of each Java suite, and the results of {@code tests/platforms}.
 *
 * <p>Run: {@code java gradle/Counts.java [--line] [--step-failed]}. Prints a table with the reason
 * of every skip, or with {@code --line} only {@code N passed, N failed, N skipped}. {@code
 * --step-failed} says that a step of the build failed, which counts as a failure when no test did.
 * Exits with 1 if anything failed or nothing ran.
 */
final class Counts {
  private static final Path RESULTS = Path.of("build", "test-results");

  /** One row of the table. */
  private record Suite(String name, int passed, int failed, int skipped) {}

  private final List<Suite> suites = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<String> skips = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    List<String> options = List.of(args);
    Counts counts = new Counts();
    counts.read();
    Suite total = counts.total(options.contains("--step-failed"));
    if (options.contains("--line")) {
      System.out.printf(
          "%d passed, %d failed, %d skipped%n", total.passed(), total.failed(), total.skipped());
    } else {
      counts.printTable(total);
    }
    System.exit(total.failed() == 0 && total.passed() > 0 ? 0 : 1);
  }

  private void read() throws IOException, ParserConfigurationException, SAXException {
    if (!Files.isDirectory(RESULTS)) {
      return;
    }
    List<Path> directories;
    try (Stream<Path> files = Files.list(RESULTS)) {
      directories = files.filter(Files::isDirectory).sorted().toList();
    }
    for (Path directory : directories) {
      if (directory.endsWith("rust")) {
        readRust(directory.resolve("output.log"));
      } else if (directory.endsWith("platforms")) {
        readPlatforms(directory.resolve("results.tsv"));
      } else {
        readJava(directory);
      }
    }
  }

  private static final Pattern RUST_SUITE =
      Pattern.compile(
          "\\s+Running (?<source>\\S+|unittests \\S+) \\(.*/(?<binary>\\w+)-[0-9a-f]+\\)"
              + "|\\s+Doc-tests (?<doc>\\w+)");
  private static final Pattern RUST_RESULT =
      Pattern.compile("test result: .* (\\d+) passed; (\\d+) failed; (\\d+) ignored;.*");
  private static final Pattern RUST_TEST =
      Pattern.compile("test (?<name>.+) \\.\\.\\. (?<outcome>ignored(, )?|FAILED)(?<reason>.*)");

  private void readRust(Path log) throws IOException {
    String name = "rust";
    boolean open = false;
    for (String line : Files.readAllLines(log)) {
      Matcher suite = RUST_SUITE.matcher(line);
      Matcher test = RUST_TEST.matcher(line);
      Matcher result = RUST_RESULT.matcher(line);
      if (suite.matches()) {
        endedWithoutResult(name, open);
        open = true;
        name =
            suite.group("doc") != null
                ? "rust " + suite.group("doc") + " doc"
                : "rust " + suite.group("binary");
      } else if (test.matches()) {
        if (test.group("outcome").equals("FAILED")) {
          failures.add(name + ": " + test.group("name"));
        } else {
          skips.add(name + ": " + test.group("name") + ": " + reason(test.group("reason")));
        }
      } else if (result.matches()) {
        open = false;
        add(name, number(result.group(1)), number(result.group(2)), number(result.group(3)));
      }
    }
    endedWithoutResult(name, open);
  }

  private void endedWithoutResult(String suite, boolean open) {
    if (open) {
      failures.add(suite + ": ended without a result");
      suites.add(new Suite(suite, 0, 1, 0));
    }
  }

  private void readJava(Path directory)
      throws IOException, ParserConfigurationException, SAXException {
    String name = "java " + directory.getFileName();
    Path skipped = directory.resolve("skipped.txt");
    Path complaints = directory.resolve("vm-complaints.txt");
    Path report = directory.resolve("TEST-junit-jupiter.xml");
    if (Files.exists(skipped)) {
      skips.add(name + ": the whole suite: " + Files.readString(skipped).strip());
      suites.add(new Suite(name, 0, 0, 1));
    } else if (Files.exists(report)) {
      readJUnit(name, report);
    } else {
      failures.add(name + ": no report: the JVM ended before it could write one");
      suites.add(new Suite(name, 0, 1, 0));
    }
    readCrashes(name, directory.resolve("logs"));
    if (Files.exists(complaints)) {
      for (String complaint : Files.readAllLines(complaints)) {
        failures.add(name + ": " + complaint);
      }
      suites.add(new Suite(name + " -Xcheck:jni", 0, 1, 0));
    }
  }

  private static final Pattern CRASH =
      Pattern.compile(
          "#  (SIG.*|Internal Error.*)|(?:# )?([CVJjv] +\\S.*)|(Current thread .*|VM_Op.*)");

  /** What a JVM says that crashed: how, where, in which thread. Its test failed, and is counted. */
  private void readCrashes(String suite, Path logs) throws IOException {
    if (!Files.isDirectory(logs)) {
      return;
    }
    List<Path> reports;
    try (Stream<Path> files = Files.list(logs)) {
      reports = files.filter(file -> file.getFileName().toString().startsWith("hs_err")).toList();
    }
    for (Path report : reports) {
      Files.readAllLines(report, StandardCharsets.ISO_8859_1).stream()
          .map(CRASH::matcher)
          .filter(Matcher::matches)
          .limit(16)
          .forEach(line -> failures.add(suite + ": " + report.getFileName() + ": " + line.group()));
    }
  }

  private void readJUnit(String suite, Path report)
      throws IOException, ParserConfigurationException, SAXException {
    NodeList tests =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("testcase");
    int failed = 0;
    int skipped = 0;
    for (int i = 0; i < tests.getLength(); i++) {
      Element test = (Element) tests.item(i);
      String name = suite + ": " + test.getAttribute("classname") + "." + test.getAttribute("name");
      NodeList skip = test.getElementsByTagName("skipped");
      Element failure = failure(test);
      if (failure != null) {
        failed++;
        failures.add(name + ": " + message(failure) + where(failure.getTextContent()));
      } else if (skip.getLength() > 0) {
        skipped++;
        skips.add(name + ": " + reason(skip.item(0).getTextContent()));
      }
    }
    suites.add(new Suite(suite, tests.getLength() - failed - skipped, failed, skipped));
  }

  /** A platform and how it was checked, what, and the outcome. What ran in a JVM has its report. */
  private void readPlatforms(Path results) throws IOException {
    Map<String, List<String>> outcomes = new LinkedHashMap<>();
    for (String line : Files.readAllLines(results)) {
      String[] row = line.split("\t", 4);
      String suite = row[0] + " " + row[1];
      if (row[1].equals("run") && !row[2].equals("the suite")) {
        continue;
      }
      outcomes.computeIfAbsent(suite, name -> new ArrayList<>()).add(row[3]);
      if (row[3].startsWith("failed: ")) {
        failures.add(suite + ": " + row[2] + ": " + row[3].substring("failed: ".length()));
      } else if (row[3].startsWith("skipped: ")) {
        skips.add(suite + ": " + row[2] + ": " + row[3].substring("skipped: ".length()));
      }
    }
    outcomes.forEach(
        (suite, all) ->
            add(suite, number(all, "passed"), number(all, "failed: "), number(all, "skipped: ")));
  }

  private static int number(List<String> outcomes, String start) {
    return (int) outcomes.stream().filter(outcome -> outcome.startsWith(start)).count();
  }

  private static Element failure(Element test) {
    NodeList failures = test.getElementsByTagName("failure");
    NodeList errors = test.getElementsByTagName("error");
    return (Element) (failures.getLength() > 0 ? failures.item(0) : errors.item(0));
  }

  /** The first line of what a runner says about a skip. */
  private static String reason(String text) {
    String first = text.strip().lines().findFirst().orElse("");
    first = first.replaceFirst("^org\\.opentest4j\\.TestAbortedException: ", "");
    first = first.replaceFirst("^Assumption failed: ", "");
    return first.isEmpty() ? "no reason given" : first;
  }

  /** The first line of a child JVM's stack trace, and what caused it. */
  private static final Pattern THROWN =
      Pattern.compile("(?:out|err)\\| (?:Exception in thread .*|Caused by: .*)");

  /** How a child JVM was started, which is long. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^by: .*$");

  /** A failure's message in one line: of a long one, which quotes a child JVM, what matters. */
  private static String message(Element failure) {
    String whole = COMMAND.matcher(failure.getAttribute("message").strip()).replaceAll("");
    String message = whole.replaceAll("\\s+", " ");
    int end = message.length();
    if (end <= 600) {
      return message;
    }
    String thrown =
        THROWN
            .matcher(whole)
            .results()
            .limit(3)
            .map(line -> line.group().substring(0, Math.min(200, line.group().length())) + " ... ")
            .collect(Collectors.joining());
    int start = thrown.isEmpty() ? 250 : 100;
    return message.substring(0, start) + " ... " + thrown + message.substring(end - 350);
  }

  private static final Pattern OWN_FRAME = Pattern.compile("\\s*at (?:\\S*/)?(io\\.jvmtools\\..+)");

  /** The innermost line of ours in a failure's stack trace. */
  private static String where(String trace) {
    return trace
        .lines()
        .map(OWN_FRAME::matcher)
        .filter(Matcher::matches)
        .findFirst()
        .map(frame -> " (" + frame.group(1) + ")")
        .orElse("");
  }

  /** Binaries without any test stay out of the table. */
  private void add(String name, int passed, int failed, int skipped) {
    if (passed + failed + skipped > 0) {
      suites.add(new Suite(name, passed, failed, skipped));
    }
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private Suite total(boolean stepFailed) {
    int failed = suites.stream().mapToInt(Suite::failed).sum();
    return new Suite(
        "total",
        suites.stream().mapToInt(Suite::passed).sum(),
        stepFailed ? Math.max(1, failed) : failed,
        suites.stream().mapToInt(Suite::skipped).sum());
  }

  /** What matters most comes last: where only the end of a log is kept, the failures are there. */
  private void printTable(Suite total) {
    System.out.println();
    skips.forEach(skip -> System.out.println("skipped  " + skip));
    System.out.printf("%n%-40s %8s %8s %8s%n", "suite", "passed", "failed", "skipped");
    suites.forEach(Counts::printRow);
    printRow(total);
    if (total.failed() > 0 && failures.isEmpty()) {
      System.out.println("A step failed before or beside the tests: see above.");
    }
    failures.forEach(failure -> System.out.println("failed   " + failure));
    System.out.println();
  }

  private static void printRow(Suite suite) {
    System.out.printf(
        "%-40s %8d %8d %8d%n", suite.name(), suite.passed(), suite.failed(), suite.skipped());
  }
}
