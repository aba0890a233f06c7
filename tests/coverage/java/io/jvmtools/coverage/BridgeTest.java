package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.Bridge;
import io.jvmtools.support.Installation;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A jar and a library bind by one number, so that number must change when the boundary does. */
class BridgeTest {

  /** The library finds classes from the probe's package on, wherever that is. */
  private static final String INTERNAL = Bridge.class.getPackageName() + ".";

  @Test
  void theBoundaryIsTheOneThatItsNumberStandsFor() {
    String file = "spec/bridge-" + Bridge.ABI + ".txt";
    List<String> list = new ArrayList<>(Sources.lines(Installation.root().resolve(file)));
    list.removeIf(line -> line.startsWith("#"));
    assertThat(boundary())
        .as(
            "What crosses the boundary stands in spec/natives.tsv and spec/records.tsv, and cargo"
                + " run -p specgen writes the list. That of a version that is out does not change"
                + " any more: raise the ABI, now %d, in spec/bridge.tsv",
            Bridge.ABI)
        .containsExactlyElementsOf(list);
  }

  /** The natives, and the records that native code makes. */
  private static List<String> boundary() {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : ProductClasses.internal()) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isNative(method.getModifiers())) {
          lines.add(
              line(type, method.getName(), method.getReturnType(), method.getParameterTypes()));
        }
      }
      if (type.isRecord() && type.getSimpleName().endsWith("Facts")) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
          lines.add(line(type, "<init>", void.class, constructor.getParameterTypes()));
        }
      }
    }
    Collections.sort(lines);
    return lines;
  }

  private static String line(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
    String descriptor = MethodType.methodType(result, parameters).descriptorString();
    return type.getName().substring(INTERNAL.length()) + "." + name + descriptor;
  }
}
