package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The module that a frame names. */
@Tag(UnderTheAgentTest.ONCE)
class ModulesTest {

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
    ClassLoader loader =
        ModuleLayer.defineModulesWithOneLoader(
                configuration(module, "1.2-beta"),
                List.of(ModuleLayer.boot()),
                ClassLoader.getPlatformClassLoader())
            .layer()
            .findLoader(module);
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

  private static Configuration configuration(String module, String version) {
    ModuleDescriptor descriptor =
        ModuleDescriptor.newModule(module, Set.of())
            .version(version)
            .requires("java.base")
            .exports("acme")
            .build();
    byte[] file =
        ClassFiles.renamed(
            ClassFiles.of(Relay.class), Map.of("io/jvmtools/functions/Relay", "acme/Relay"));
    ModuleFinder finder = new OneModule(new InMemory(descriptor, file));
    return Configuration.resolve(
        finder, List.of(ModuleLayer.boot().configuration()), ModuleFinder.of(), Set.of(module));
  }

  private record OneModule(InMemory reference) implements ModuleFinder {
    @Override
    public Optional<ModuleReference> find(String name) {
      return Optional.<ModuleReference>of(reference)
          .filter(found -> found.descriptor().name().equals(name));
    }

    @Override
    public Set<ModuleReference> findAll() {
      return Set.of(reference);
    }
  }

  /** A module with one class. */
  private static final class InMemory extends ModuleReference {

    private final byte[] file;

    InMemory(ModuleDescriptor descriptor, byte[] file) {
      super(descriptor, null);
      this.file = file;
    }

    @Override
    public ModuleReader open() {
      return new ModuleReader() {
        @Override
        public Optional<URI> find(String name) {
          return Optional.empty();
        }

        @Override
        public Optional<InputStream> open(String name) {
          return Optional.empty();
        }

        @Override
        public Optional<ByteBuffer> read(String name) {
          return name.equals("acme/Relay.class")
              ? Optional.of(ByteBuffer.wrap(file))
              : Optional.empty();
        }

        @Override
        public Stream<String> list() {
          return Stream.of("acme/Relay.class");
        }

        @Override
        public void close() {}
      };
    }
  }
}
