package io.jvmtools.oracle;

import io.jvmtools.code.DeclaredVariable;
import io.jvmtools.code.JvmMethod;
import java.util.List;
import java.util.stream.Collectors;

/** The stem {@code method} through the public API. */
interface OursMethod extends MethodFunctions, OurEnvironment {

  /** Of the method of a frame. */
  @Override
  default String getLocalVariableTable(Thread thread, int outer) {
    JvmMethod method = jvmti().frames().at(thread, outer).method();
    return jvmti().locals().table(method).map(OursMethod::text).orElse("ABSENT_INFORMATION");
  }

  private static String text(List<DeclaredVariable> table) {
    return table.stream()
        .map(
            one ->
                "%s %s %s slot %d from %d to %d"
                    .formatted(
                        one.name(),
                        one.signature(),
                        one.generic().orElse("-"),
                        one.slot(),
                        one.start(),
                        one.end()))
        .collect(Collectors.joining(","));
  }
}
