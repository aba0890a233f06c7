package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.ExtensionFunctions;
import io.jvmtools.support.Spec;
import io.jvmtools.system.ExtensionParameter;
import java.util.List;
import java.util.stream.Collectors;

/** The stem {@code extension} through the public API. */
interface OursExtension extends ExtensionFunctions, OurEnvironment {

  @Override
  default String getExtensionFunctions() {
    return jvmti().extensions().functions().stream()
        .map(
            one ->
                one.id()
                    + parameters(one.parameters())
                    + one.description()
                    + " "
                    + one.errors().stream()
                        .map(Ours::withoutPrefix)
                        .collect(Collectors.joining(",")))
        .collect(Collectors.joining("; "));
  }

  @Override
  default String getExtensionEvents() {
    return jvmti().extensions().events().stream()
        .map(
            one -> one.number() + " " + one.id() + parameters(one.parameters()) + one.description())
        .collect(Collectors.joining("; "));
  }

  private static String parameters(List<ExtensionParameter> all) {
    return all.stream()
        .map(
            one ->
                one.name()
                    + " "
                    + number("JVMTI_KIND_" + one.kind())
                    + " "
                    + number("JVMTI_TYPE_" + one.type())
                    + " "
                    + one.isNullable())
        .collect(Collectors.joining(",", "(", ")"));
  }

  private static String number(String constant) {
    return Spec.rows("constants").stream()
        .filter(row -> row.get("name").equals(constant))
        .map(row -> row.get("value"))
        .findFirst()
        .orElse("unknown");
  }
}
