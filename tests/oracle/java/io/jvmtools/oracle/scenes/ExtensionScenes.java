package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** What the VM has beyond the specification. */
final class ExtensionScenes implements Scenes {

  private final Notes notes;
  private final Observer.Source source;

  ExtensionScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    Observer observer = source.open("can_tag_objects");
    notes.note("GetExtensionFunctions.plain", observer::getExtensionFunctions);
    notes.note("GetExtensionEvents.plain", observer::getExtensionEvents);
    notes.answer(observer::disposeEnvironment);
  }
}
