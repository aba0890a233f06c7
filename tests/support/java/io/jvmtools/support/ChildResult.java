package io.jvmtools.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.condition.OS;

/**
 * How a child JVM ended. Every assertion made through it prints the whole output when it fails.
 *
 * @param name the main class
 * @param command how it was started
 * @param exitCode its exit code
 * @param outLines its standard output
 * @param errLines its standard error
 */
public record ChildResult(
    String name, List<String> command, int exitCode, List<String> outLines, List<String> errLines) {

  /** What a Windows JVM prints under Wine: about it, and about the options that it needs there. */
  private static final Pattern OF_WINE =
      Pattern.compile("NOTE: Picked up JDK_JAVA_OPTIONS: .*|.* process group affinity failed: .*");

  /** Asserts that it ended well. */
  public ChildResult succeeds() {
    assertThat(exitCode).as(transcript()).isZero();
    return this;
  }

  /** Asserts that it ended with this exit code. */
  public ChildResult endsWith(int code) {
    assertThat(exitCode).as(transcript()).isEqualTo(code);
    return this;
  }

  /** Asserts that it did not end well. */
  public ChildResult fails() {
    assertThat(exitCode).as(transcript()).isNotZero();
    return this;
  }

  /** Starts an assertion about its standard output. */
  public ListAssert<String> out() {
    return assertThat(outLines).as(transcript());
  }

  /** Starts an assertion about its standard error; on Windows without what is about Wine. */
  public ListAssert<String> err() {
    return assertThat(errLines)
        .as(transcript())
        .filteredOn(line -> !(OS.WINDOWS.isCurrentOs() && OF_WINE.matcher(line).matches()));
  }

  /** The rest of the one output line that starts with {@code prefix}. */
  public String line(String prefix) {
    List<String> found = outLines.stream().filter(line -> line.startsWith(prefix)).toList();
    assertThat(found).as(transcript()).hasSize(1);
    return found.get(0).substring(prefix.length());
  }

  /** The exit code, everything it printed, and the command. */
  public String transcript() {
    StringBuilder text = new StringBuilder(name).append(" ended with ").append(exitCode);
    text.append('\n');
    outLines.forEach(line -> text.append("out| ").append(line).append('\n'));
    errLines.forEach(line -> text.append("err| ").append(line).append('\n'));
    return text.append("by: ").append(String.join(" ", command)).append('\n').toString();
  }

  /** Asserts that the JVM complained neither about our use of JNI nor died of it. */
  void checkForComplaints() {
    assertThat(JniComplaints.in(outLines)).as(transcript()).isEmpty();
    assertThat(JniComplaints.in(errLines)).as(transcript()).isEmpty();
  }
}
