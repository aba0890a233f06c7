package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;

import io.jvmtools.code.JvmMethod;
import java.util.List;

/** Methods. */
final class MethodErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        answeredAsEmpty(
            "GetLineNumberTable",
            ABSENT_INFORMATION,
            "an abstract method",
            jvmti -> jvmti.methods().lineNumbers(ofAbstract())));
  }

  @Override
  public List<Impossible> impossible() {
    return Impossible.impossible(
        ABSENT_INFORMATION, "HotSpot knows where the code of each method is.", "GetMethodLocation");
  }

  private static JvmMethod ofAbstract() {
    try {
      return JvmMethod.of(Runnable.class.getMethod("run"));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
