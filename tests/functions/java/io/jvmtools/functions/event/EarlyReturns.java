package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GET_LINE_NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.LineNumber;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.PlaceSubscription;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the tests of early returns have in common. */
final class EarlyReturns {

  private EarlyReturns() {}

  static Jvmti open(Capability... more) {
    List<Capability> all = new ArrayList<>(List.of(more));
    all.add(CAN_GENERATE_BREAKPOINT_EVENTS);
    all.add(CAN_FORCE_EARLY_RETURN);
    return Jvmti.open(all.toArray(new Capability[0]));
  }

  static CodePlace entry(String method) {
    return CodePlace.entry(Shop.class.getName(), method);
  }

  /** The last line of a method, which it comes to with an object on its stack. */
  static CodePlace inTheMiddle(String method) {
    try (Jvmti jvmti = Jvmti.open(CAN_GET_LINE_NUMBERS)) {
      Method reflected = Shop.class.getDeclaredMethod(method);
      List<LineNumber> lines = jvmti.methods().lineNumbers(JvmMethod.of(reflected)).orElseThrow();
      int last = lines.stream().mapToInt(LineNumber::line).max().orElseThrow();
      assertThat(lines).allMatch(line -> line.line() < last || line.location() > 0);
      return CodePlace.line(Shop.class.getName(), last);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** What a call answers while a listener at the beginning of a method does something. */
  static <T> T early(String method, Consumer<? super EventFrame> listener, Supplier<T> call) {
    return early(entry(method), listener, call);
  }

  /** The same of any place. */
  static <T> T early(CodePlace place, Consumer<? super EventFrame> listener, Supplier<T> call) {
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(place, listener)) {
      T answer = call.get();
      assertThat(here.breakpoints()).isNotEmpty();
      assertThat(here.counts().delivered()).isEqualTo(1);
      assertThat(here.counts().failed()).isZero();
      assertThat(here.counts().lost()).isZero();
      return answer;
    }
  }

  static Consumer<EventFrame> returns(Object value) {
    return frame -> frame.returnEarly(value);
  }
}
