package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.code.Modules;
import io.jvmtools.functions.OwnModule;
import io.jvmtools.support.SourceMapped;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.security.SecureClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is changed here are modules that no other test has. */
class ModulesTest {

  private static final Module OURS = ModulesTest.class.getModule();
  private static final Module BASE = Object.class.getModule();

  /** GetAllModules. */
  @Test
  void allModulesAreThoseOfTheLayersAndTheUnnamedOnes() {
    Module own = OwnModule.named("acme.listed");
    Module unnamed = SourceMapped.type("Listed", "").getModule();
    try (Jvmti jvmti = Jvmti.open()) {
      List<Module> all = jvmti.modules().all();
      assertThat(all).contains(own, unnamed, OURS).doesNotHaveDuplicates().doesNotContainNull();
      assertThat(all)
          .filteredOn(module -> module.getLayer() == ModuleLayer.boot())
          .containsExactlyInAnyOrderElementsOf(ModuleLayer.boot().modules());
    }
    assertThat(JvmTools.getAllModules()).contains(own, unnamed);
  }

  @Test
  void aLoaderThatHasDefinedNothingIsNotAmongThem() {
    Module unnamed = new ClassLoader(null) {}.getUnnamedModule();
    assertThat(JvmTools.getAllModules()).doesNotContain(unnamed);
  }

  /** GetNamedModule. */
  @Test
  void everyPackageOfTheBootLayerLeadsToItsModule() {
    List<String> wrong = new ArrayList<>();
    try (Jvmti jvmti = Jvmti.open()) {
      for (Module module : ModuleLayer.boot().modules()) {
        for (String name : module.getPackages()) {
          if (!find(jvmti.modules(), module.getClassLoader(), name).equals(Optional.of(module))) {
            wrong.add(module + " " + name);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(JvmTools.getBootstrapLoaderModule("java.lang")).hasValue(BASE);
  }

  private static Optional<Module> find(Modules modules, ClassLoader loader, String name) {
    return loader == null ? modules.ofBootstrapPackage(name) : modules.ofPackage(loader, name);
  }

  @Test
  void aPackageIsThatOfItsOwnLoaderAlone() {
    Module own = OwnModule.named("acme.gr\u00fc\u00dfe.\ud835\udcb3");
    assertThat(JvmTools.getNamedModule(own.getClassLoader(), own.getName())).hasValue(own);
    assertThat(JvmTools.getNamedModule(own.getClassLoader(), "java.lang")).isEmpty();
    assertThat(JvmTools.getNamedModule(ModulesTest.class.getClassLoader(), own.getName()))
        .isEmpty();
    assertThat(JvmTools.getBootstrapLoaderModule(own.getName())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "java", "java/lang", "java;lang", "[I", "\0", "\ud800", "\udc00."})
  void whatIsNoNameOfAPackageLeadsNowhere(String name) {
    assertThat(JvmTools.getBootstrapLoaderModule(name)).isEmpty();
    assertThat(JvmTools.getNamedModule(ModulesTest.class.getClassLoader(), name)).isEmpty();
    assertThat(JvmTools.getBootstrapLoaderModule(name + "x".repeat(1 << 16))).isEmpty();
  }

  /** HotSpot ends the process for it. */
  @Test
  void aLoaderWhoseConstructorHasNotRunHasNone() throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    ClassLoader loader =
        (ClassLoader)
            unsafe
                .getMethod("allocateInstance", Class.class)
                .invoke(only.get(null), SecureClassLoader.class);
    assertThat(JvmTools.getNamedModule(loader, "java.lang")).isEmpty();
  }

  @Test
  void aPackageOfTheUnnamedModuleHasNoNamedOne() {
    assertThat(
            JvmTools.getNamedModule(
                ModulesTest.class.getClassLoader(), ModulesTest.class.getPackageName()))
        .isEmpty();
  }

  /** AddModuleReads. */
  @Test
  void aModuleReadsWhatWasAdded() {
    Module reads = OwnModule.named("acme.reads");
    Module other = OwnModule.named("acme.other");
    assertThat(reads.canRead(other)).isFalse();
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.modules().addReads(reads, other);
    }
    assertThat(reads.canRead(other)).isTrue();
    assertThat(other.canRead(reads)).isFalse();
    assertThat(reads.canRead(OURS)).isFalse();
    JvmTools.addModuleReads(reads, OURS);
    assertThat(reads.canRead(OURS)).isTrue();
  }

  /** AddModuleExports. */
  @Test
  void whatIsExportedCanBeUsed() throws ReflectiveOperationException {
    Module module = OwnModule.named("acme.exports");
    Class<?> provider = OwnModule.provider(module);
    assertThatThrownBy(() -> provider.getConstructor().newInstance())
        .isInstanceOf(IllegalAccessException.class);
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.modules().addExports(module, module.getName(), OURS);
    }
    assertThat(provider.getConstructor().newInstance()).isInstanceOf(Runnable.class);
    assertThat(module.isExported(module.getName(), OURS)).isTrue();
    assertThat(module.isOpen(module.getName(), OURS)).isFalse();
    assertThat(module.isExported(module.getName())).isFalse();
    Module other = OwnModule.named("acme.other");
    assertThat(module.isExported(module.getName(), other)).isFalse();
    JvmTools.addModuleExports(module, module.getName(), other);
    assertThat(module.isExported(module.getName(), other)).isTrue();
  }

  /** AddModuleOpens. */
  @Test
  void whatIsOpenedCanBeReachedInto() throws ReflectiveOperationException {
    Module module = OwnModule.named("acme.opens");
    Class<?> provider = OwnModule.provider(module);
    assertThatThrownBy(() -> provider.getDeclaredConstructor().setAccessible(true))
        .isInstanceOf(InaccessibleObjectException.class);
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.modules().addOpens(module, module.getName(), OURS);
    }
    provider.getDeclaredConstructor().setAccessible(true);
    assertThat(module.isOpen(module.getName(), OURS)).isTrue();
    Module other = OwnModule.named("acme.other");
    assertThat(module.isOpen(module.getName(), other)).isFalse();
    JvmTools.addModuleOpens(module, module.getName(), other);
    assertThat(module.isOpen(module.getName(), other)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "java.lang", "acme", "acme/refuses", "acme.refuses.", "\0", "\ud800"})
  void aPackageThatIsNotInTheModuleIsRefused(String name) {
    Module module = OwnModule.named("acme.refuses");
    for (String refused : List.of(name, name + "x".repeat(1 << 16))) {
      assertRefused(modules -> modules.addExports(module, refused, OURS));
      assertRefused(modules -> modules.addOpens(module, refused, OURS));
    }
  }

  private static void assertRefused(Consumer<Modules> call) {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatThrownBy(() -> call.accept(jvmti.modules()))
          .isExactlyInstanceOf(JvmtiException.class)
          .hasMessageContaining("the module has no package of this name");
    }
  }

  /** AddModuleUses. */
  @Test
  void aModuleUsesWhatWasAdded() {
    Module module = OwnModule.named("acme.uses");
    assertThat(module.canUse(Runnable.class)).isFalse();
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.modules().addUses(module, Runnable.class);
    }
    assertThat(module.canUse(Runnable.class)).isTrue();
    assertThat(module.canUse(Comparable.class)).isFalse();
    JvmTools.addModuleUses(module, Comparable.class);
    assertThat(module.canUse(Comparable.class)).isTrue();
  }

  /** AddModuleProvides. */
  @Test
  void aServiceLoaderFindsWhatWasAddedAsOftenAsItWas() {
    Module module = OwnModule.named("acme.provides");
    Class<?> provider = OwnModule.provider(module);
    assertThat(providers(module)).isEmpty();
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.modules().addProvides(module, Runnable.class, provider);
    }
    assertThat(providers(module)).containsExactly(provider);
    assertThat(ServiceLoader.load(module.getLayer(), Runnable.class).findFirst().orElseThrow())
        .isInstanceOf(provider);
    JvmTools.addModuleProvides(module, Runnable.class, provider);
    assertThat(providers(module)).containsExactly(provider, provider);
  }

  @Test
  void anUnnamedModuleProvidesToo() {
    Class<?> type = OwnModule.providerOfAnUnnamedOne();
    JvmTools.addModuleProvides(type.getModule(), Runnable.class, type);
    assertThat(ServiceLoader.load(Runnable.class, type.getClassLoader()).stream())
        .<Object>map(Provider::type)
        .containsExactly(type);
  }

  @Test
  void aClassOfAnotherModuleProvidesNothing() {
    Module module = OwnModule.named("acme.provides");
    Class<?> elsewhere = OwnModule.provider(OwnModule.named("acme.elsewhere"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JvmTools.addModuleProvides(module, Runnable.class, elsewhere))
        .withMessage(
            "class acme.elsewhere.Provided is in module acme.elsewhere and not in module"
                + " acme.provides");
    assertThat(providers(module)).isEmpty();
  }

  private static List<Object> providers(Module module) {
    return ServiceLoader.load(module.getLayer(), Runnable.class).stream()
        .<Object>map(Provider::type)
        .toList();
  }

  @Test
  void anUnnamedModuleTakesEverythingElseWithoutAWord() {
    Module unnamed = new ClassLoader(null) {}.getUnnamedModule();
    Module module = OwnModule.named("acme.reads");
    try (Jvmti jvmti = Jvmti.open()) {
      Modules modules = jvmti.modules();
      assertThatCode(() -> modules.addReads(unnamed, module)).doesNotThrowAnyException();
      assertThatCode(() -> modules.addExports(unnamed, "any.name", module))
          .doesNotThrowAnyException();
      assertThatCode(() -> modules.addOpens(unnamed, "any.name", module))
          .doesNotThrowAnyException();
      assertThatCode(() -> modules.addUses(unnamed, Runnable.class)).doesNotThrowAnyException();
    }
    assertThat(module.canRead(unnamed)).isFalse();
  }

  @Test
  void anOpenModuleOpensAllAnyway() {
    Module module = OwnModule.open("acme.open");
    JvmTools.addModuleOpens(module, "any.name", OURS);
    JvmTools.addModuleExports(module, module.getName(), OURS);
    assertThat(module.isOpen(module.getName())).isTrue();
    assertThat(module.isOpen("any.name")).isFalse();
  }

  /** IsModifiableModule. */
  @Test
  void allModulesAreModifiable() {
    Module own = OwnModule.named("acme.modifiable");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.modules().all()).contains(own).allMatch(jvmti.modules()::isModifiable);
    }
    assertThat(JvmTools.isModifiableModule(BASE)).isTrue();
  }
}
