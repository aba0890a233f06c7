package io.jvmtools.oracle;

import io.jvmtools.support.SourceMapped;

/** Classes. */
final class ClassScenes {

  private final Notes notes;
  private final Observer observer;

  ClassScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open("can_get_source_debug_extension");
  }

  void play() {
    Runnable lambda = () -> {};
    extension("smap", SourceMapped.type("Page", "SMAP\nPage.java\nJSP\n*E\n"));
    extension("anyText", SourceMapped.type("Page", "\0\u00e4\ud83d\ude00"));
    extension("noText", SourceMapped.type("Page", ""));
    extension("none", ClassScenes.class);
    extension("hidden", lambda.getClass());
    extension("array", int[].class);
    extension("primitive", int.class);
    notes.answer(observer::disposeEnvironment);
  }

  private void extension(String scenario, Class<?> type) {
    notes.note("GetSourceDebugExtension." + scenario, () -> observer.getSourceDebugExtension(type));
  }
}
