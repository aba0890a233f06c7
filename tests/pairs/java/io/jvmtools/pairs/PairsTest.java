package io.jvmtools.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.fuzz.Target;
import io.jvmtools.fuzz.Targets;
import io.jvmtools.support.OneJdkADay;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A share of the pairs, another one each day: {@code -Pshare=N} chooses, and {@code ./dev pairs}
 * does all of them.
 */
@OneJdkADay
class PairsTest {

  private static final int IN_A_SHARE = 220;

  @ParameterizedTest
  @EnumSource
  void noCallStaysAndNothingIsLeft(Setup setup) {
    int shares = (Pair.all().size() + IN_A_SHARE - 1) / IN_A_SHARE;
    // The setups are half a round apart.
    Share share = Share.ofToday(shares).plus(setup.ordinal() * shares / Setup.values().length);
    Plan plan = new Plan(new Random().nextInt(1_000_000), share, 1, List.of(), List.of());
    List<String> told = new ArrayList<>();
    List<String> failures = new Session(setup, plan, told::add).run();
    assertThat(failures).as("share %s", share).isEmpty();
    assertThat(told).anyMatch(line -> line.startsWith("suspensions "));
  }

  @Test
  void whatIsLeftOutIsThere() {
    assertThat(Targets.all().stream().filter(Operations::entersTheVm).map(Target::toString))
        .containsAll(Operations.LEFT_OUT.keySet());
  }

  @Test
  void everyOperationOfThisJdkIsOffered() {
    List<String> offered = new ArrayList<>();
    for (Setup setup : Setup.values()) {
      offered.addAll(Offers.of(setup));
    }
    assertThat(Operations.all())
        .filteredOn(Operation::isOfThisJdk)
        .extracting(Operation::toString)
        .filteredOn(name -> !offered.contains(name))
        .as("no setup has their capabilities")
        .isEmpty();
  }

  /** So that what is not annotated is found, too. */
  @Test
  void callsOfNativesAreSeen() {
    Reach reach = new Reach();
    assertThat(Targets.all())
        .filteredOn(target -> !target.functions().isEmpty())
        .filteredOn(target -> !reach.hasNatives(target.executable()))
        .extracting(Target::toString)
        .as("what they call is hidden by a maker, and they say so by @JvmtiFunction")
        .containsExactly("Locals.table(JvmMethod)");
    assertThat(Operations.all())
        .extracting(Operation::toString)
        .contains(
            "JvmMethod.of(Executable)", "JvmField.of(Field)", "JniCallCounter.calls(JniFunction)");
  }

  @Test
  void allDoorsHavePairs() {
    assertThat(Pair.all().stream().map(Pair::doors)).contains(Doors.values());
  }
}
