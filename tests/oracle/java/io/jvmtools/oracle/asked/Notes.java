package io.jvmtools.oracle.asked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was observed, by {@code function.scenario}. */
public final class Notes {

  /** What no observer can answer with. */
  private static final String SEPARATOR = " | ";

  private final Map<String, String> observations = new LinkedHashMap<>();
  private final Observer interpreter;

  /** Notes of one observer; it says what its exceptions mean. */
  public Notes(Observer interpreter) {
    this.interpreter = interpreter;
  }

  /** Writes down what some steps answer, one after the other; nothing if one has no answer. */
  @SafeVarargs
  public final @Nullable String note(String key, Supplier<String>... steps) {
    List<Supplier<String>> list = new ArrayList<>();
    for (Supplier<String> step : steps) {
      list.add(step);
    }
    return note(key, list);
  }

  public @Nullable String note(String key, List<Supplier<String>> steps) {
    StringBuilder all = new StringBuilder();
    boolean complete = true;
    for (Supplier<String> step : steps) {
      String answer = answer(step);
      complete &= answer != null;
      all.append(all.isEmpty() ? "" : SEPARATOR).append(answer);
    }
    if (!complete) {
      return null;
    }
    if (observations.put(key, printable(all.toString())) != null) {
      throw new IllegalStateException("Two scenarios are called " + key);
    }
    return all.toString();
  }

  /** Writes down whether a number grows from one look to the next one after some work. */
  public void grows(String key, Supplier<String> number, Runnable work) {
    String before = answer(number);
    work.run();
    String after = answer(number);
    if (before != null && after != null) {
      note(key, () -> isNumber(before) && isNumber(after) ? relation(before, after) : after);
    }
  }

  /** The answer, or the name of the error; null if the observer has none. */
  public @Nullable String answer(Supplier<String> step) {
    try {
      return step.get();
    } catch (Observer.NoAnswer none) {
      return null;
    } catch (RuntimeException failure) {
      return interpreter.failure(failure);
    }
  }

  /** The lines {@code key<TAB>observation}. */
  public String print() {
    return observations.entrySet().stream()
        .map(entry -> entry.getKey() + '\t' + entry.getValue() + '\n')
        .collect(Collectors.joining());
  }

  /** Those parts of an answer that a scenario knows; the JVM has threads of its own. */
  public static String only(String answer, String separator, Predicate<String> known) {
    if (answer.matches("[A-Z_]+")) {
      return answer; // the name of an error
    }
    return Arrays.stream(answer.split(separator))
        .filter(known)
        .collect(Collectors.joining(separator));
  }

  /** Insists on an answer that a scenario cannot go on without. */
  public static void require(String expected, String answer) {
    if (!expected.equals(answer)) {
      throw new IllegalStateException("The answer is " + answer + " and not " + expected);
    }
  }

  private static boolean isNumber(String text) {
    return text.matches("-?\\d+");
  }

  private static String relation(String before, String after) {
    int order = Long.compare(Long.parseLong(before), Long.parseLong(after));
    return order < 0 ? "grows" : order == 0 ? "stays" : "shrinks";
  }

  /** In one line of ASCII, and hidden classes without the numbers that each JVM gives them. */
  private static String printable(String text) {
    StringBuilder line = new StringBuilder();
    text.replaceAll("\\$\\$Lambda[$\\d]*[./]0x\\p{XDigit}+", "\\$\\$Lambda")
        .chars()
        .forEach(
            c -> {
              if (c < ' ' || c > '~') {
                line.append(String.format("\\u%04x", c));
              } else {
                line.append((char) c);
              }
            });
    return line.toString();
  }
}
