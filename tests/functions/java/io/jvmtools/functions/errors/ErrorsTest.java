package io.jvmtools.functions.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.errors.Provocation.Query;
import io.jvmtools.functions.errors.Provocation.Refusal;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of both registries is true. */
@Tag(UnderTheAgentTest.ALWAYS)
public class ErrorsTest {

  static List<Provocation> provoked() {
    return Errors.provoked();
  }

  /** A row of either registry, its function, where it applies, what the JVM says. */
  static Stream<Arguments> direct() {
    return Stream.concat(
        Errors.provoked().stream()
            .filter(row -> row.direct().isPresent())
            .map(row -> Arguments.of(row, row.function(), row.where(), row.direct().orElseThrow())),
        Errors.impossible().stream()
            .filter(row -> row.direct().isPresent())
            .map(
                row ->
                    Arguments.of(
                        row,
                        row.function(),
                        Where.works(row.function()),
                        row.direct().orElseThrow())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("provoked")
  void theCallIsAnsweredWithTheError(Provocation row) throws Exception {
    assumeIncluded(row.where());
    try (Jvmti jvmti = Jvmti.open(row.capabilities())) {
      if (row.call() instanceof Query query) {
        assertThat(query.ask(jvmti)).as(where(row)).isEmpty();
        return;
      }
      ThrowingCallable call = () -> row.call().on(jvmti);
      Optional<Refusal> refusal = row.refusal();
      if (refusal.isPresent()) {
        assertThatThrownBy(call)
            .as(where(row))
            .isExactlyInstanceOf(refusal.get().type())
            .hasMessageStartingWith(refusal.get().message());
      } else {
        assertThatThrownBy(call)
            .as(where(row))
            .asInstanceOf(type(JvmtiException.class))
            .satisfies(
                e -> {
                  assertThat(e.function()).isEqualTo(row.function());
                  assertThat(DirectAnswer.nameOf(e)).isEqualTo(row.error());
                });
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("direct")
  void theJvmItselfAnswersWhatIsStated(
      Object row, String function, Where where, DirectAnswer direct) {
    assumeIncluded(where);
    assertThat(direct.ask(function)).as(where(row)).isEqualTo(direct.error());
  }

  @Test
  void everyRowIsTriedSomewhereInTheMatrix() {
    List<Integer> features =
        Sources.lines(Installation.root().resolve("tests/jdks.tsv")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> Integer.valueOf(line.split("\t")[1]))
            .toList();
    assertThat(Errors.provoked())
        .allMatch(row -> features.stream().anyMatch(row.where()::includes));
  }

  private static String where(Object row) {
    return row
        + " (by hand in <Stem>Errors, or else it follows from spec/ as ImpliedCalls and Implied"
        + " say, and a row by hand takes its place; CONTRIBUTING.md, Add a function, 7)";
  }

  private static void assumeIncluded(Where where) {
    Optional<String> reason = where.reasonNotHere();
    assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
  }
}
