package io.jvmtools.oracle;

import io.jvmtools.support.SourceMapped;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classes. */
final class ClassScenes implements Scenes {

  /** Which classes of loaders are told: the JVM has many others, and arrays that anybody made. */
  private static final Set<String> KNOWN =
      Set.of(
          "Page",
          "[LPage;",
          "java.lang.Object",
          "java.util.List",
          "[I",
          ClassScenes.class.getName());

  private final Notes notes;
  private final Observer observer;

  ClassScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open("can_get_source_debug_extension");
  }

  @Override
  public void play() {
    Runnable lambda = () -> {};
    interfaces("several", String.class);
    interfaces("ofInterface", List.class);
    interfaces("none", Object.class);
    interfaces("hidden", lambda.getClass());
    interfaces("array", String[].class);
    interfaces("primitive", int.class);
    interfaces("unlinked", SourceMapped.type("Unlinked", ""));
    extension("smap", SourceMapped.type("Page", "SMAP\nPage.java\nJSP\n*E\n"));
    extension("anyText", SourceMapped.type("Page", "\0\u00e4\ud83d\ude00"));
    extension("noText", SourceMapped.type("Page", ""));
    extension("none", ClassScenes.class);
    extension("hidden", lambda.getClass());
    extension("array", int[].class);
    extension("primitive", int.class);
    modifiable("class", String.class);
    modifiable("interface", List.class);
    modifiable("unlinked", SourceMapped.type("Unlinked", ""));
    modifiable("hidden", lambda.getClass());
    modifiable("array", int[].class);
    modifiable("arrayOfObjects", String[][].class);
    modifiable("primitive", int.class);
    modifiable("void", void.class);
    if (Virtual.isHere()) {
      modifiable("continuation", named("jdk.internal.vm.Continuation"));
    }
    initiatedBy("empty", new ClassLoader(null) {});
    Class<?> page = SourceMapped.type("Page", "");
    initiatedBy("own", page.getClassLoader());
    initiatedBy("ownArray", SourceMapped.type("Page", "").arrayType().getClassLoader());
    initiatedBy("asked", asked(List.class, ClassScenes.class));
    initiatedBy("bootstrap", null);
    notes.answer(observer::disposeEnvironment);
  }

  private void interfaces(String scenario, Class<?> type) {
    notes.note(
        "GetImplementedInterfaces." + scenario, () -> observer.getImplementedInterfaces(type));
  }

  private void extension(String scenario, Class<?> type) {
    notes.note("GetSourceDebugExtension." + scenario, () -> observer.getSourceDebugExtension(type));
  }

  private void modifiable(String scenario, Class<?> type) {
    notes.note("IsModifiableClass." + scenario, () -> observer.isModifiableClass(type));
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private void initiatedBy(String scenario, @Nullable ClassLoader loader) {
    notes.note(
        "GetClassLoaderClasses." + scenario,
        () -> Notes.only(observer.getClassLoaderClasses(loader), ",", KNOWN::contains));
  }

  /** A loader that the JVM has asked for classes of others. */
  private static ClassLoader asked(Class<?>... types) {
    ClassLoader loader = new ClassLoader(ClassScenes.class.getClassLoader()) {};
    for (Class<?> type : types) {
      try {
        Class.forName(type.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
    return loader;
  }
}
