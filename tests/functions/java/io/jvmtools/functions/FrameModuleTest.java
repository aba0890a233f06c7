package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.lang.module.ModuleDescriptor;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The module that a frame names. */
@Tag(UnderTheAgentTest.ONCE)
class FrameModuleTest {

  @Test
  void frameOfTheJdkNamesItsModuleAndNoVersion() {
    StackTrace trace = JvmTools.getStackTrace(Thread.currentThread());
    StackFrame reflection =
        trace.stream()
            .filter(frame -> frame.className().equals("java.lang.reflect.Method"))
            .findFirst()
            .orElseThrow();
    assertThat(reflection.module()).contains("java.base");
    assertThat(reflection.toString()).startsWith("java.base/java.lang.reflect.Method.invoke(");
    assertThat(trace.get(0).module()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme.app", "acme.gr\u00fc\u00dfe", "acme.\ud835\udcb3"})
  void frameOfANamedModuleNamesItAndItsVersion(String module) throws ReflectiveOperationException {
    ModuleDescriptor descriptor =
        ModuleDescriptor.newModule(module, Set.of())
            .version("1.2-beta")
            .requires("java.base")
            .exports("acme")
            .build();
    byte[] file =
        ClassFiles.renamed(
            ClassFiles.of(Relay.class), Map.of("io/jvmtools/functions/Relay", "acme/Relay"));
    ClassLoader loader =
        OwnModule.define(descriptor, Map.of("acme/Relay.class", file)).getClassLoader();
    Class<?> relay = loader.loadClass("acme.Relay");
    // As the JDK prints it when an exception comes through.
    StackTraceElement[] expected = new StackTraceElement[1];
    StackFrame[] frame = new StackFrame[1];
    ClassFiles.instance(
            relay,
            () -> {
              expected[0] = new Throwable().getStackTrace()[1];
              frame[0] =
                  Traces.frames(JvmTools.getStackTrace(Thread.currentThread()), "pass").get(0);
            })
        .run();
    assertThat(frame[0].module()).contains(module);
    assertThat(frame[0].method().module()).contains(module);
    assertThat(frame[0]).hasToString(expected[0].toString());
    assertThat(frame[0].toString()).contains(module + "@1.2-beta/acme.Relay.pass(");
    assertThat(frame[0].toStackTraceElement()).isEqualTo(expected[0]);
  }
}
