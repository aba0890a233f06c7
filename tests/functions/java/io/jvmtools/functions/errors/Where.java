package io.jvmtools.functions.errors;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Spec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * In which JVMs of the matrix a row can be tried.
 *
 * @param first the first feature release
 * @param last the last feature release
 * @param needsAgent whether the JVM must have been started with the agent
 */
public record Where(int first, int last, boolean needsAgent) {

  private static final int OLDEST = 17;

  /** Everywhere. */
  static final Where ANYWHERE = new Where(0, Integer.MAX_VALUE, false);

  private static final List<Map<String, String>> FUNCTIONS = Spec.rows("functions");
  private static final List<Map<String, String>> CAPABILITIES = Spec.rows("capabilities");

  /** Where a function can be called at all. */
  static Where exists(String function) {
    return ANYWHERE.from(since(row(FUNCTIONS, function)));
  }

  /** Where an environment can hold all that a function requires. */
  static Where works(String function) {
    Where where = exists(function);
    String required = row(FUNCTIONS, function).get("requires");
    for (String name : required.isEmpty() ? new String[0] : required.split(",")) {
      Map<String, String> capability = row(CAPABILITIES, name);
      where = where.from(since(capability));
      if (capability.get("on_load_only").equals("yes")) {
        where = where.underTheAgent();
      }
    }
    return where;
  }

  Where from(int feature) {
    return new Where(Math.max(first, feature), last, needsAgent);
  }

  Where until(int feature) {
    return new Where(first, Math.min(last, feature), needsAgent);
  }

  Where underTheAgent() {
    return new Where(first, last, true);
  }

  /** Why the row cannot be tried in this JVM; empty if it can. */
  Optional<String> reasonNotHere() {
    if (Installation.feature() < first) {
      return Optional.of("comes with JDK " + first);
    }
    if (Installation.feature() > last) {
      return Optional.of("is gone since JDK " + (last + 1));
    }
    return needsAgent && Agent.origin() != AgentOrigin.AT_START
        ? Optional.of("the capability needs the agent at start")
        : Optional.empty();
  }

  /**
   * Whether the row can be tried in a JVM of some feature release; one is started with the agent.
   */
  boolean includes(int feature) {
    return first <= feature && feature <= last;
  }

  private static int since(Map<String, String> row) {
    return Integer.parseInt(row.get("since"));
  }

  private static Map<String, String> row(List<Map<String, String>> table, String name) {
    return table.stream()
        .filter(row -> row.get("name").equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " is not in spec/"));
  }

  /** For the documentation: the JDKs, if not all. */
  @Override
  public String toString() {
    String from = first > OLDEST ? "from JDK " + first : "";
    return last < Integer.MAX_VALUE ? (from + " to JDK " + last).strip() : from;
  }
}
