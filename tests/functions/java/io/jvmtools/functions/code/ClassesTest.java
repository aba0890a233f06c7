package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.code.ClassStatus.Flag;
import io.jvmtools.code.ClassVersion;
import io.jvmtools.code.Classes;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.support.SourceMapped;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs with and without the agent, which the source debug extension needs. */
class ClassesTest {

  /** Of every class, and of no meaning: reflection leaves it out. */
  private static final int ACC_SUPER = 0x20;

  private static final String SMAP =
      "SMAP\nPage.java\nJSP\n*S JSP\n*F\n1 page.jsp\n*L\n1#1,5:10,2\n*E\n";

  @ParameterizedTest
  @ValueSource(classes = {String.class, List.class, Enum.class, Runnable.class, int.class})
  void interfacesAreThoseOfReflection(Class<?> type) {
    assertInterfaces(type, type.getInterfaces());
  }

  @Test
  void interfacesOfAnArrayAreNotTold() {
    assertInterfaces(int[].class);
    assertInterfaces(String[][].class);
  }

  private void assertInterfaces(Class<?> type, Class<?>... expected) {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().implementedInterfaces(type)).containsExactly(expected);
    }
    assertThat(JvmTools.getImplementedInterfaces(type)).containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {SMAP, "any text, \0, \u00e4 and \ud83d\ude00", ""})
  @OnlyUnderTheAgent
  void sourceDebugExtensionIsTheTextInTheClassFile(String text) {
    Class<?> type = SourceMapped.type("Page", text);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SOURCE_DEBUG_EXTENSION)) {
      assertThat(jvmti.classes().sourceDebugExtension(type)).hasValue(text);
    }
    assertThat(JvmTools.getSourceDebugExtension(type)).hasValue(text);
  }

  @ParameterizedTest
  @ValueSource(classes = {ClassesTest.class, Runnable.class, int[].class, int.class, void.class})
  @OnlyUnderTheAgent
  void whatJavacHasCompiledHasNoSourceDebugExtension(Class<?> type) {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SOURCE_DEBUG_EXTENSION)) {
      assertThat(jvmti.classes().sourceDebugExtension(type)).isEmpty();
    }
    assertThat(JvmTools.getSourceDebugExtension(type)).isEmpty();
  }

  /** GetClassModifiers, IsInterface, IsArrayClass, GetClassLoader. */
  @ParameterizedTest
  @MethodSource("kindsOfClasses")
  void whatReflectionKnowsIsTheSame(Class<?> type) {
    try (Jvmti jvmti = Jvmti.open()) {
      Classes classes = jvmti.classes();
      assertThat(classes.modifiers(type) & ~ACC_SUPER).isEqualTo(type.getModifiers());
      assertThat(classes.isInterface(type)).isEqualTo(type.isInterface());
      assertThat(classes.isArray(type)).isEqualTo(type.isArray());
      assertThat(classes.loader(type)).isEqualTo(Optional.ofNullable(type.getClassLoader()));
      assertThat(classes.status(type).isPrimitive()).isEqualTo(type.isPrimitive());
      assertThat(classes.status(type).isArray()).isEqualTo(type.isArray());
      if (!type.isHidden()) {
        assertThat(classes.signature(type).signature()).isEqualTo(type.descriptorString());
        assertThat(JvmTools.getClassSignature(type)).isEqualTo(classes.signature(type));
      }
    }
  }

  static Stream<Class<?>> kindsOfClasses() {
    Runnable lambda = () -> {};
    return Stream.of(
        String.class,
        List.class,
        Override.class,
        Thread.State.class,
        ClassesTest.class,
        lambda.getClass(),
        int[].class,
        String[][].class,
        int.class,
        void.class);
  }

  @Test
  void theGenericSignatureIsThatOfTheClassFile() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().signature(Optional.class).generic())
          .hasValue("<T:Ljava/lang/Object;>Ljava/lang/Object;");
      assertThat(jvmti.classes().signature(Optional.class))
          .hasToString("Ljava/util/Optional; <T:Ljava/lang/Object;>Ljava/lang/Object;");
      assertThat(jvmti.classes().signature(String[].class).generic()).isEmpty();
    }
  }

  @Test
  void aClassComesItsWayStepByStep() {
    Class<?> unlinked = SourceMapped.type("OnItsWay", "");
    assertThat(JvmTools.getClassStatus(unlinked)).hasToString("loaded");
    assertThat(JvmTools.getClassStatus(String.class).flags())
        .containsExactly(Flag.VERIFIED, Flag.PREPARED, Flag.INITIALIZED);
    assertThatThrownBy(Failing::touch).isInstanceOf(ExceptionInInitializerError.class);
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().status(Failing.class).isInError()).isTrue();
      assertThat(jvmti.classes().status(Failing.class).isInitialized()).isFalse();
    }
  }

  /** Whose static initialiser fails. */
  private static final class Failing {
    private static final int NUMBER = Integer.parseInt("no number");

    static int touch() {
      return NUMBER;
    }
  }

  @Test
  void theVersionIsThatOfTheClassFile() throws IOException {
    int major;
    try (DataInputStream file =
        new DataInputStream(ClassesTest.class.getResourceAsStream("ClassesTest.class"))) {
      file.skipNBytes(6);
      major = file.readUnsignedShort();
    }
    assertThat(JvmTools.getClassVersionNumbers(ClassesTest.class))
        .hasValue(new ClassVersion(major, 0));
    assertThat(new ClassVersion(61, 0)).hasToString("61.0 (Java 17)");
    assertThat(new ClassVersion(69, 0xffff)).hasToString("69.65535 (Java 25, preview)");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().version(String.class).orElseThrow().feature())
          .isEqualTo(Runtime.version().feature());
      assertThat(jvmti.classes().version(int[].class)).isEmpty();
      assertThat(jvmti.classes().version(int.class)).isEmpty();
    }
  }

  @Test
  void theSourceFileIsThatOfAStackTrace() {
    String expected = new Throwable().getStackTrace()[0].getFileName();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SOURCE_FILE_NAME)) {
      assertThat(jvmti.classes().sourceFileName(ClassesTest.class)).hasValue(expected);
      assertThat(jvmti.classes().sourceFileName(int[].class)).isEmpty();
    }
    assertThat(JvmTools.getSourceFileName(ClassesTest.class)).hasValue(expected);
  }

  @Test
  void loadedClassesAreThoseThatAreThere() {
    Class<?> page = SourceMapped.type("Loaded", "");
    Runnable lambda = () -> {};
    Object array = new ClassesTest[0][0][0];
    try (Jvmti jvmti = Jvmti.open()) {
      List<Class<?>> loaded = jvmti.classes().loaded();
      assertThat(loaded)
          .contains(Object.class, ClassesTest.class, page, lambda.getClass(), array.getClass())
          .doesNotContain(int.class, void.class)
          .doesNotHaveDuplicates();
    }
    assertThat(JvmTools.getLoadedClasses()).contains(page);
  }

  @ParameterizedTest
  @ValueSource(classes = {ClassesTest.class, String.class, Class.class, Object.class, List.class})
  void classesAndInterfacesAreModifiable(Class<?> type) {
    assertModifiable(type, true);
  }

  @ParameterizedTest
  @ValueSource(classes = {int.class, void.class, int[].class, String[][].class})
  void whatHasNoClassFileIsNotModifiable(Class<?> type) {
    assertModifiable(type, false);
  }

  @Test
  void hiddenClassesAreNotModifiable() {
    Runnable lambda = () -> {};
    assertThat(lambda.getClass()).matches(Class::isHidden);
    assertModifiable(lambda.getClass(), false);
  }

  /** JDK-8302779. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads")
  void whatVirtualThreadsAreMadeOfIsNotModifiable() throws ClassNotFoundException {
    assertModifiable(Class.forName("jdk.internal.vm.Continuation"), false);
  }

  private void assertModifiable(Class<?> type, boolean expected) {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().isModifiable(type)).isEqualTo(expected);
    }
    assertThat(JvmTools.isModifiableClass(type)).isEqualTo(expected);
  }

  @Test
  void aNewLoaderHasOnlyWhatEachHas() {
    assertThat(initiatedBy(new RecordingLoader())).allMatch(ClassesTest::isArrayOfPrimitives);
  }

  @Test
  void aLoaderHasWhatItHasDefined() {
    Class<?> type = SourceMapped.type("Page", SMAP);
    assertThat(initiatedBy(type.getClassLoader()))
        .filteredOn(one -> !one.isArray())
        .containsExactlyInAnyOrder(type, Object.class);
  }

  @Test
  void aLoaderHasArraysOfItsClassesAsSoonAsThereAreAny() {
    Class<?> type = SourceMapped.type("Page", SMAP);
    Class<?>[] arrays = {type.arrayType(), type.arrayType().arrayType()};
    assertThat(initiatedBy(type.getClassLoader())).contains(arrays);
    assertThat(initiatedBy(new RecordingLoader())).doesNotContain(arrays);
  }

  @Test
  void aLoaderHasWhatTheJvmHasAskedItFor() throws ClassNotFoundException {
    RecordingLoader loader = new RecordingLoader();
    loader.loadClass(List.class.getName());
    Class.forName(ClassesTest.class.getName(), false, loader);
    assertThat(loader.recorded(List.class.getName())).isNull();
    assertThat(loader.recorded(ClassesTest.class.getName())).isEqualTo(ClassesTest.class);
    assertThat(initiatedBy(loader)).contains(ClassesTest.class).doesNotContain(List.class);
  }

  @Test
  void hiddenClassesAreNobodys() {
    Runnable lambda = () -> {};
    assertThat(initiatedBy(ClassesTest.class.getClassLoader()))
        .contains(ClassesTest.class)
        .noneMatch(Class::isHidden)
        .doesNotContain(lambda.getClass());
  }

  @Test
  void theBootstrapLoaderHasItsOwn() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertBootstrap(jvmti.classes().initiatedByBootstrapLoader());
    }
    assertBootstrap(JvmTools.getBootstrapLoaderClasses());
  }

  private void assertBootstrap(List<Class<?>> types) {
    assertThat(types)
        .contains(Object.class, String.class, int[].class)
        .doesNotHaveDuplicates()
        .noneMatch(Class::isHidden)
        .allMatch(type -> type.getClassLoader() == null);
  }

  private List<Class<?>> initiatedBy(ClassLoader loader) {
    List<Class<?>> types = JvmTools.getClassLoaderClasses(loader);
    assertThat(types).doesNotHaveDuplicates();
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.classes().initiatedBy(loader)).containsAll(types);
    }
    return types;
  }

  private static boolean isArrayOfPrimitives(Class<?> type) {
    Class<?> component = type;
    while (component.isArray()) {
      component = component.getComponentType();
    }
    return type.isArray() && component.isPrimitive();
  }

  /** Tells by name what the JVM has recorded of it, and defines nothing. */
  private static final class RecordingLoader extends ClassLoader {

    @Nullable Class<?> recorded(String name) {
      return findLoadedClass(name);
    }
  }
}
