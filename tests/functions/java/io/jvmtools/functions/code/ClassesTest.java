package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.SourceMapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs with and without the agent, which the source debug extension needs. */
class ClassesTest {

  private static final String NEEDS_AGENT = "the capability needs the agent at start";

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
  @EnabledIfSystemProperty(
      named = UnderTheAgentTest.INSIDE,
      matches = "true",
      disabledReason = NEEDS_AGENT)
  void sourceDebugExtensionIsTheTextInTheClassFile(String text) {
    Class<?> type = SourceMapped.type("Page", text);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SOURCE_DEBUG_EXTENSION)) {
      assertThat(jvmti.classes().sourceDebugExtension(type)).hasValue(text);
    }
    assertThat(JvmTools.getSourceDebugExtension(type)).hasValue(text);
  }

  @ParameterizedTest
  @ValueSource(classes = {ClassesTest.class, Runnable.class, int[].class, int.class, void.class})
  @EnabledIfSystemProperty(
      named = UnderTheAgentTest.INSIDE,
      matches = "true",
      disabledReason = NEEDS_AGENT)
  void whatJavacHasCompiledHasNoSourceDebugExtension(Class<?> type) {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SOURCE_DEBUG_EXTENSION)) {
      assertThat(jvmti.classes().sourceDebugExtension(type)).isEmpty();
    }
    assertThat(JvmTools.getSourceDebugExtension(type)).isEmpty();
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
