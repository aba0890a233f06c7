package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;

/** Memory of the VM's allocator. */
final class MemoryScenes implements Scenes {

  private final Notes notes;
  private final Observer.Source source;

  MemoryScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
  }

  @Override
  public void play() {
    Observer observer = source.open();
    for (int bytes : new int[] {0, 1, 4097, 1 << 20, -1, Integer.MIN_VALUE}) {
      notes.note("Allocate.bytes" + bytes, () -> observer.allocate(bytes));
    }
    notes.answer(observer::disposeEnvironment);
  }
}
