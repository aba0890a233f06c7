package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.actors.Actor;
import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.util.List;
import java.util.Vector;

/**
 * The table of JNI functions: calls by this thread, by others, of other functions; counted twice.
 */
final class JniTableScenes implements Scenes {

  private static final String VERSION = "GetVersion";
  private static final String SUPERCLASS = "GetSuperclass";

  private final Notes notes;
  private final Observer observer;

  JniTableScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer = source.open();
  }

  @Override
  public void play() {
    notes.note("GetJNIFunctionTable.asItIs", observer::getJNIFunctionTable);
    counted("none", VERSION, () -> {});
    counted("some", VERSION, () -> NativeCode.getVersion(7));
    counted("ofAnother", VERSION, () -> NativeCode.getSuperclass(String.class, 3));
    counted("superclass", SUPERCLASS, () -> NativeCode.getSuperclass(String.class, 3));
    counted("byAnother", VERSION, () -> another(() -> NativeCode.getVersion(1_000)));
    if (Virtual.isHere()) {
      counted("byVirtual", VERSION, () -> Virtual.run(() -> NativeCode.getVersion(5)));
    }
    twice();
    notes.note(
        "SetJNIFunctionTable.again", () -> observer.setJNIFunctionTable(VERSION, this::versions));
    notes.answer(observer::disposeEnvironment);
  }

  private void counted(String key, String function, Runnable action) {
    notes.note("SetJNIFunctionTable." + key, () -> observer.setJNIFunctionTable(function, action));
  }

  /** And what the table has meanwhile. */
  private void twice() {
    List<String> inner = new Vector<>();
    notes.note(
        "SetJNIFunctionTable.twice",
        () ->
            observer.setJNIFunctionTable(
                VERSION,
                () -> {
                  NativeCode.getVersion(1);
                  inner.add(observer.setJNIFunctionTable(VERSION, this::versions));
                  inner.add(observer.setJNIFunctionTable(SUPERCLASS, this::versions));
                  inner.add(observer.getJNIFunctionTable());
                  NativeCode.getVersion(1);
                }),
        inner::toString);
    notes.note("GetJNIFunctionTable.afterwards", observer::getJNIFunctionTable);
  }

  private void versions() {
    NativeCode.getVersion(2);
  }

  private static void another(Runnable body) {
    Thread thread = new Thread(body);
    thread.start();
    Actor.join(thread);
  }
}
