package io.jvmtools.functions.code;

import static io.jvmtools.event.EventTypes.NATIVE_METHOD_BIND;
import static io.jvmtools.support.NativeNumbers.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.JniCalls;
import io.jvmtools.support.NativeNumbers;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Symbols of libraries, and native methods that are bound to them. */
class NativeAddressTest {

  private static final String ONE = PREFIX + "one";

  @BeforeAll
  static void theLibraryIsThere() {
    assertThat(JniCalls.filled()).isPositive();
  }

  /** Each method is bound once in this JVM: what each is bound to is shown in one test. */
  @Test
  void aNativeMethodRunsTheCodeThatIsAnswered() {
    Map<String, NativeAddress> own = new HashMap<>();
    Map<String, Optional<NativeAddress>> answers =
        Map.of(
            "two", NativeAddress.ofSymbol("getpid"),
            "three", NativeAddress.ofSymbol(JniCalls.LIBRARY, ONE),
            "five", NativeAddress.ofSymbol("no such symbol"));
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_NATIVE_METHOD_BIND_EVENTS);
        Subscription bound =
            jvmti
                .events()
                .answer(
                    NATIVE_METHOD_BIND,
                    EventFilter.ANY.classes(NativeNumbers.class),
                    event -> {
                      String name = event.method().name();
                      own.put(name, event.address());
                      return name.equals("four")
                          ? Optional.of(own.get("one"))
                          : answers.getOrDefault(name, Optional.empty());
                    })) {
      assertThat(NativeNumbers.one()).isEqualTo(1);
      assertThat(NativeNumbers.two()).as("getpid").isEqualTo((int) ProcessHandle.current().pid());
      assertThat(NativeNumbers.three()).as("a symbol of the library").isEqualTo(1);
      assertThat(NativeNumbers.four()).as("what was bound before").isEqualTo(1);
      assertThat(NativeNumbers.five()).isEqualTo(5);
      assertThat(bound.counts().delivered()).isEqualTo(5);
      assertThat(bound.counts().failed()).isZero();
    }
    own.forEach(
        (name, address) ->
            assertThat(NativeAddress.ofSymbol(JniCalls.LIBRARY, PREFIX + name)).contains(address));
    assertThat(own).hasSize(5).doesNotContainValue(answers.get("two").orElseThrow());
    assertThat(NativeNumbers.four()).as("bound for good").isEqualTo(1);
  }

  @Test
  void aSymbolIsFoundWhereItCanBeSeen() {
    assertThat(NativeAddress.ofSymbol("getpid")).isPresent();
    assertThat(NativeAddress.ofSymbol(JniCalls.LIBRARY, "Agent_OnUnload")).isPresent();
    assertThat(NativeAddress.ofSymbol(ONE)).as("loaded for itself").isEmpty();
    assertThat(NativeAddress.ofSymbol(JniCalls.LIBRARY, "getpid"))
        .as("what it was linked with")
        .isEqualTo(NativeAddress.ofSymbol("getpid"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\0", "getpid\0", "get\0pid", " getpid", "gétpid", "\ud800", "no such symbol"})
  void nothingIsCalledSo(String name) {
    assertThat(NativeAddress.ofSymbol(name)).isEmpty();
    assertThat(NativeAddress.ofSymbol(JniCalls.LIBRARY, name)).isEmpty();
  }

  @Test
  void aNameMayBeLong() {
    assertThat(NativeAddress.ofSymbol("x".repeat(1 << 20))).isEmpty();
  }

  @Test
  void aLibraryHasManyPaths(@TempDir Path folder) throws IOException {
    Optional<NativeAddress> one = NativeAddress.ofSymbol(JniCalls.LIBRARY, ONE);
    assertThat(one).isPresent();
    Path link = Files.createSymbolicLink(folder.resolve("lïnk"), JniCalls.LIBRARY);
    assertThat(NativeAddress.ofSymbol(link, ONE)).isEqualTo(one);
    Path here = Path.of("").toAbsolutePath().relativize(JniCalls.LIBRARY);
    assertThat(NativeAddress.ofSymbol(here, ONE)).isEqualTo(one);
  }

  @Test
  void aLibraryHasToBeLoaded(@TempDir Path folder) throws IOException {
    Path copy = Files.copy(JniCalls.LIBRARY, folder.resolve("copy.so"));
    Path text = Files.writeString(folder.resolve("text.so"), "text");
    for (Path other : new Path[] {copy, text, folder, folder.resolve("none"), Path.of("")}) {
      assertThatIllegalStateException()
          .as("%s", other)
          .isThrownBy(() -> NativeAddress.ofSymbol(other, ONE))
          .withMessageContaining("has loaded no library");
    }
  }

  @Test
  void aLibraryIsAFile(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("some.jar");
    new JarOutputStream(Files.newOutputStream(jar)).close();
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NativeAddress.ofSymbol(inside.getPath("/some.so"), ONE))
          .withMessageContaining("library");
    }
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> NativeAddress.ofSymbol(null))
        .withMessage("name");
    assertThatNullPointerException()
        .isThrownBy(() -> NativeAddress.ofSymbol(null, ONE))
        .withMessage("library");
    assertThatNullPointerException()
        .isThrownBy(() -> NativeAddress.ofSymbol(JniCalls.LIBRARY, null))
        .withMessage("name");
  }
}
