package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.DUPLICATE;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_LOCATION;
import static io.jvmtools.functions.errors.ErrorNames.NOT_FOUND;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.Relay;
import java.util.ArrayList;
import java.util.List;

/** Breakpoints and watched fields. */
final class BreakpointErrors implements ErrorRows {

  /** What sets something, what clears it, and what it is set in. */
  private record Pair<T>(String set, String clear, Deed<T> setting, Deed<T> clearing) {

    interface Deed<T> {
      void on(Jvmti jvmti, T where);
    }
  }

  private static final Pair<JvmMethod> BREAKPOINT =
      new Pair<>(
          "SetBreakpoint",
          "ClearBreakpoint",
          (jvmti, method) -> jvmti.breakpoints().set(method, 0),
          (jvmti, method) -> jvmti.breakpoints().clear(method, 0));

  private static final List<Pair<JvmField>> WATCHES =
      List.of(
          new Pair<>(
              "SetFieldAccessWatch",
              "ClearFieldAccessWatch",
              (jvmti, field) -> jvmti.watches().setReads(field),
              (jvmti, field) -> jvmti.watches().clearReads(field)),
          new Pair<>(
              "SetFieldModificationWatch",
              "ClearFieldModificationWatch",
              (jvmti, field) -> jvmti.watches().setWrites(field),
              (jvmti, field) -> jvmti.watches().clearWrites(field)));

  @Override
  public List<Provocation> provoked() {
    List<Provocation> rows = new ArrayList<>(of(BREAKPOINT, method()));
    WATCHES.forEach(watch -> rows.addAll(of(watch, field())));
    rows.add(
        provoke(
            "SetBreakpoint",
            INVALID_LOCATION,
            "no instruction begins there",
            jvmti -> jvmti.breakpoints().set(method(), -1)));
    rows.add(
        provoke(
            "ClearBreakpoint",
            INVALID_LOCATION,
            "a location behind the method",
            jvmti -> jvmti.breakpoints().clear(method(), 60_000)));
    return rows;
  }

  private static <T> List<Provocation> of(Pair<T> pair, T where) {
    return List.of(
        provoke(
            pair.set,
            DUPLICATE,
            "what is set already",
            jvmti -> {
              pair.setting.on(jvmti, where);
              pair.setting.on(jvmti, where);
            }),
        provoke(pair.clear, NOT_FOUND, "what is not set", jvmti -> pair.clearing.on(jvmti, where)));
  }

  private static JvmMethod method() {
    try {
      return JvmMethod.of(Relay.class.getDeclaredMethod("run"));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JvmField field() {
    try {
      return JvmField.of(Relay.class.getDeclaredField("next"));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }
}
