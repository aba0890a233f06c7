package io.jvmtools.support;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test class that takes long, and runs on one of the JDKs that are there, on another one each
 * day. {@code -Pjdks=all} runs it on all of them, and {@code -Ptests} on the one that is asked for.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneJdkADay.Turn.class)
public @interface OneJdkADay {

  /** Whose turn it is. */
  final class Turn implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String jdk = System.getProperty("jvmtools.test.jdk");
      if (jdk == null) {
        return enabled("this JDK was asked for");
      }
      String chosen = of(context.getRequiredTestClass(), jdks(), Today.number());
      return chosen.equals(jdk)
          ? enabled("it is its turn")
          : disabled("today it runs on " + chosen);
    }

    /** Two classes need not run on the same one. */
    static String of(Class<?> test, List<String> jdks, int day) {
      int first = Math.floorMod(test.getSimpleName().hashCode(), jdks.size());
      return jdks.get((first + day) % jdks.size());
    }

    /** The names of those that {@code gradle/jdks} found. */
    private static List<String> jdks() {
      try (var rows = Files.lines(Path.of(System.getProperty("jvmtools.test.jdks")))) {
        return rows.map(row -> row.split("\t"))
            .filter(row -> !row[2].equals("-"))
            .map(row -> row[0])
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
