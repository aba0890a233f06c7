package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.functions.errors.Universal;
import io.jvmtools.support.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A function of the specification is there in every layer with every error, or in none. */
public class CoverageTest {

  private static final Layers LAYERS = new Layers();

  /**
   * The functions that have begun to be there: with a native, or a public method that names them.
   */
  public static Set<String> promised() {
    Set<String> promised = new TreeSet<>(LAYERS.annotated());
    names().stream()
        .filter(name -> LAYERS.natives().contains(Layers.nativeOf(name)))
        .forEach(promised::add);
    return promised;
  }

  /** The functions of the safe layer, which has more: what other parts of the agent need. */
  public static Set<String> inTheSafeLayer() {
    return LAYERS.rust();
  }

  @Test
  void everyPromisedFunctionIsThereInEveryLayer() {
    Set<String> promised = promised();
    Set<String> elsewhere =
        Elsewhere.all().stream().map(Elsewhere::function).collect(Collectors.toSet());
    assertThat(promised)
        .as("functions that are there, and elsewhere")
        .doesNotContainAnyElementsOf(elsewhere);
    promised.addAll(elsewhere);
    assertThat(names()).containsAll(promised);
    assertThat(promised.stream().flatMap(name -> LAYERS.lacking(name).stream()))
        .as("what functions lack")
        .isEmpty();
    System.out.println("coverage: " + promised.size() + " of " + names().size() + " functions");
  }

  @Test
  void everyErrorOfAPromisedFunctionIsProvokedOrExplained() {
    List<String> neither = new ArrayList<>();
    List<String> both = new ArrayList<>();
    Set<String> functions = promised();
    Elsewhere.all().forEach(one -> functions.add(one.function()));
    for (String function : functions) {
      for (String error : LAYERS.errors(function)) {
        boolean provoked = LAYERS.provokes(function, error);
        boolean explained = LAYERS.explains(function, error);
        if (!provoked && !explained) {
          neither.add(Layers.key(function, error));
        } else if (provoked && explained) {
          both.add(Layers.key(function, error));
        }
      }
    }
    assertThat(neither)
        .as(
            "errors without a row in tests/functions/**/errors/<Stem>Errors.java: a call that"
                + " provokes it, or why Java cannot. What follows for all functions alike stands in"
                + " spec/parameters.tsv (null, checks), or functions.tsv (requires), and in"
                + " ImpliedCalls or Implied. CONTRIBUTING.md, Add a function, 7")
        .isEmpty();
    assertThat(both).as("errors said to be impossible, and provoked").isEmpty();
  }

  @Test
  void noRowIsAboutWhatTheTableDoesNotHave() {
    Set<String> table =
        names().stream()
            .flatMap(name -> LAYERS.errors(name).stream().map(error -> Layers.key(name, error)))
            .collect(Collectors.toSet());
    assertThat(Layers.errorsInRows()).isSubsetOf(table);
  }

  @Test
  void universalErrorsHaveAStatementAndItsTest() {
    Set<String> errors =
        Spec.rows("errors").stream()
            .map(row -> row.get("name").replace("JVMTI_ERROR_", ""))
            .collect(Collectors.toSet());
    for (Universal universal : Universal.errors()) {
      assertThat(errors).contains(universal.error());
      if (!universal.proof().isEmpty()) {
        assertThat(Layers.isTest(universal.proof())).as(universal.proof()).isTrue();
      }
    }
  }

  private static List<String> names() {
    return LAYERS.functions().stream().map(row -> row.get("name")).toList();
  }
}
