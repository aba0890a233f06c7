package io.jvmtools.oracle.events;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/** One side: what it is told of, as text. */
public interface Recorder {

  /** How the classes are called of which it is to be told. */
  String CLASSES = "io.jvmtools.oracle.events.Acted";

  /**
   * Begins to record one kind of event.
   *
   * @param event what it is
   * @param actor the thread
   */
  void begin(KindOfEvent event, Thread actor);

  /** Ends that, and answers what it was told of. */
  List<String> end();

  /** Asks for the end of a frame of the calling thread: 0 for the one that calls this. */
  void notifyFramePop(int depth);

  void setBreakpoint(Method method);

  void watchReads(Field field);

  void watchWrites(Field field);
}
