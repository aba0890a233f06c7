package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
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
    this.observer = source.open("can_get_source_debug_extension", "can_get_source_file_name");
  }

  /** Never used, so that nobody has initialised it. */
  private static final class Untouched {}

  /** Whose static initialiser fails. */
  private static final class Failing {
    static final int NUMBER = Integer.parseInt("none");
  }

  @Override
  public void play() {
    Runnable lambda = () -> {};
    facts("ofString", String.class);
    facts("ofGeneric", List.class);
    facts("ofMember", Thread.State.class);
    facts("ofAnnotation", Override.class);
    facts("ofArray", String[][].class);
    facts("ofPrimitive", int.class);
    facts("ofVoid", void.class);
    facts("hidden", lambda.getClass());
    facts("ofAnotherLoader", SourceMapped.type("Page", ""));
    facts("untouched", Untouched.class);
    facts("inError", inError());
    notes.note("GetLoadedClasses.known", () -> Call.classes(observer.getLoadedClasses()));
    Object array = new ClassScenes[0][0];
    notes.note("GetLoadedClasses.array", () -> Call.classes(observer.getLoadedClasses()));
    Notes.require("[[Lio.jvmtools.oracle.scenes.ClassScenes;", array.getClass().getName());
    notes.note(
        "GetLoadedClasses.unlinked",
        () -> observer.getLoadedClasses().contains("NotYetLinked") ? "there" : "not there",
        () -> SourceMapped.type("NotYetLinked", "").getName(),
        () -> observer.getLoadedClasses().contains("NotYetLinked") ? "there" : "not there");
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
    members("ofEnum", Thread.State.class);
    members("ofInterface", Comparable.class);
    members("ofMarker", Cloneable.class);
    members("generated", ClassScenes.class);
    members("ofArray", int[].class);
    members("ofPrimitive", int.class);
    members("unlinked", SourceMapped.type("Memberless", ""));
    initiatedBy("empty", new ClassLoader(null) {});
    Class<?> page = SourceMapped.type("Page", "");
    initiatedBy("own", page.getClassLoader());
    initiatedBy("ownArray", SourceMapped.type("Page", "").arrayType().getClassLoader());
    initiatedBy("asked", asked(List.class, ClassScenes.class));
    initiatedBy("bootstrap", null);
    notes.answer(observer::disposeEnvironment);
  }

  private static Class<?> inError() {
    try {
      return Failing.NUMBER == 0 ? Failing.class : void.class;
    } catch (ExceptionInInitializerError failed) {
      return Failing.class;
    }
  }

  /** What a class says of itself. */
  private void facts(String scenario, Class<?> type) {
    notes.note("GetClassSignature." + scenario, () -> observer.getClassSignature(type));
    notes.note("GetClassStatus." + scenario, () -> observer.getClassStatus(type));
    notes.note("GetSourceFileName." + scenario, () -> observer.getSourceFileName(type));
    notes.note("GetClassModifiers." + scenario, () -> observer.getClassModifiers(type));
    notes.note("IsInterface." + scenario, () -> observer.isInterface(type));
    notes.note("IsArrayClass." + scenario, () -> observer.isArrayClass(type));
    notes.note("GetClassLoader." + scenario, () -> observer.getClassLoader(type));
    notes.note("GetClassVersionNumbers." + scenario, () -> observer.getClassVersionNumbers(type));
  }

  private void interfaces(String scenario, Class<?> type) {
    notes.note(
        "GetImplementedInterfaces." + scenario, () -> observer.getImplementedInterfaces(type));
  }

  private void members(String scenario, Class<?> type) {
    notes.note("GetClassMethods." + scenario, () -> observer.getClassMethods(type));
    notes.note("GetClassFields." + scenario, () -> observer.getClassFields(type));
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
