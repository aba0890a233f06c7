package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_FIELDID;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_METHODID;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_ALIVE;

import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.Unloaded;
import io.jvmtools.internal.SpecFacts;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The calls that provoke errors of a function, as they follow from spec/ for all functions alike:
 * of its public methods, with samples, of which one is wrong as the tables say.
 */
final class ImpliedCalls {

  private static final int TOO_DEEP = 1_000_000;

  private final List<Provocation> rows = new ArrayList<>();
  private final String function;
  private final List<Input> inputs;
  private final NativeCall direct;

  private ImpliedCalls(NativeCall direct) {
    this.function = direct.function();
    this.inputs = Input.of(function);
    this.direct = direct;
  }

  /** Those of the function that a native is. */
  static List<Provocation> of(NativeCall direct) {
    ImpliedCalls calls = new ImpliedCalls(direct);
    for (PublicMethod method : PublicMethod.of(calls.function)) {
      calls.withoutCapability(method);
      if (method.parameterCount() == calls.inputs.size()) {
        for (int i = 0; i < calls.inputs.size(); i++) {
          calls.provoked(method, i);
          calls.refused(method, i);
        }
      }
    }
    return calls.rows;
  }

  private void withoutCapability(PublicMethod method) {
    if (!SpecFacts.requiredCapabilities(function).isEmpty()) {
      rows.add(Provocation.withoutCapability(function, method::ask));
    }
  }

  /** What the JVM is asked. */
  private void provoked(PublicMethod method, int i) {
    Input input = inputs.get(i);
    if (input.hasToBeAlive() && method.type(i) == Thread.class) {
      provoke(THREAD_NOT_ALIVE, "a thread that has ended", method.with(i, Parked::ended));
      provoke(THREAD_NOT_ALIVE, "a thread that was not started", method.with(i, Parked::unstarted));
    }
    String tooDeep = input.inCaseOf("too_deep");
    if (!tooDeep.isEmpty()) {
      // Another thread would have to be suspended.
      PublicMethod ofMine = method.with(0, Thread::currentThread);
      provoke(tooDeep, "a depth below the stack", ofMine.with(i, () -> TOO_DEEP));
    }
    String ofNative = input.inCaseOf("native");
    if (!ofNative.isEmpty()) {
      PublicMethod asked = method.with(i, () -> JvmMethod.of(Object.class.getMethod("hashCode")));
      rows.add(
          Provocation.answeredAsEmpty(
              function, ofNative, "a native method", jvmti -> optional(asked.ask(jvmti))));
    }
  }

  /** What the library refuses before that; a native asks all the same, if it can. */
  private void refused(PublicMethod method, int i) {
    NativeCall.Parameter parameter = direct.standingFor(i);
    String name = method.nameOf(i, parameter);
    // Where its class does not come along, the JVM is asked.
    if (method.type(i) == JvmMethod.class && direct.takes("Class")) {
      PublicMethod gone = method.with(i, () -> Unloaded.one().method());
      rows.add(
          Provocation.unavailable(function, INVALID_METHODID, gone::ask)
              .directly(
                  direct.answers(INVALID_METHODID, parameter, () -> Unloaded.one().methodId())));
    }
    if (method.type(i) == JvmField.class) {
      PublicMethod gone = method.with(i, () -> Unloaded.one().field());
      rows.add(Provocation.unavailable(function, INVALID_FIELDID, gone::ask));
    }
    String negative = inputs.get(i).inCaseOf("negative");
    if (!negative.isEmpty()) {
      Provocation row =
          Provocation.numberRefused(
              function,
              negative,
              "a negative " + name,
              name + inputs.get(i).boundOfNumber() + ": -1",
              method.with(i, () -> -1)::ask);
      rows.add(
          inputs.get(i).isRoom()
              ? row
              : row.directly(direct.answers(negative, parameter, () -> -1)));
    }
    String ofNull = inputs.get(i).ofNull(parameter);
    if (!ofNull.isEmpty()) {
      Provocation row =
          Provocation.nullRefused(function, ofNull, name, method.with(i, () -> null)::ask);
      rows.add(
          parameter.crossesAsItIs()
              ? row.directly(direct.answers(ofNull, parameter, () -> null))
              : row);
    }
  }

  private void provoke(String error, String how, PublicMethod call) {
    rows.add(Provocation.provoke(function, error, how, call::ask));
  }

  private static Optional<?> optional(Object answer) {
    if (answer instanceof OptionalInt number) {
      return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }
    return (Optional<?>) answer;
  }
}
