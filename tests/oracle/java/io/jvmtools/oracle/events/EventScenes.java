package io.jvmtools.oracle.events;

import io.jvmtools.JvmTools;
import io.jvmtools.support.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;

/** What makes each event happen, on the actor. */
final class EventScenes {

  /** What an actor does. */
  interface Scene {
    void play(Recorder recorder) throws Exception;

    /** What the one who has made the actor does meanwhile. */
    default void beside(Thread actor) throws InterruptedException {}
  }

  private static final Map<String, Scene> SCENES = new TreeMap<>();

  static {
    for (String threads :
        new String[] {"ThreadStart", "ThreadEnd", "VirtualThreadStart", "VirtualThreadEnd"}) {
      SCENES.put(threads, recorder -> {});
    }
    SCENES.put("ClassLoad", recorder -> loads());
    SCENES.put("ClassPrepare", recorder -> loads());
    SCENES.put("Exception", recorder -> Acted.catches());
    SCENES.put("ExceptionCatch", recorder -> Acted.catches());
    SCENES.put("SingleStep", recorder -> Acted.counts(2));
    SCENES.put("MethodEntry", recorder -> Acted.counts(3));
    SCENES.put(
        "Breakpoint",
        recorder -> {
          recorder.setBreakpoint(Acted.class.getDeclaredMethod("adds", int.class));
          Acted.counts(2);
        });
    SCENES.put("FramePop", ActedFrame::asks);
    SCENES.put("MethodExit", recorder -> ActedValues.returns());
    SCENES.put("FieldAccess", EventScenes::readsFields);
    SCENES.put("FieldModification", EventScenes::writesFields);
    SCENES.put("NativeMethodBind", recorder -> ActedNative.version());
    SCENES.put("ResourceExhausted", recorder -> wantsTooMuch());
    SCENES.put("ClassFileLoadHook", recorder -> loads());
    SCENES.put("MonitorWait", recorder -> waits());
    SCENES.put("MonitorWaited", recorder -> waits());
    SCENES.put("MonitorContendedEnter", new Contended());
    SCENES.put("MonitorContendedEntered", new Contended());
    SCENES.put("VMObjectAlloc", recorder -> Array.newInstance(Acted.Lock.class, 3));
    // So large that it is one of the sample but once in 10^50 times.
    SCENES.put("SampledObjectAlloc", recorder -> use(new Acted.Lock[1 << 24]));
  }

  private EventScenes() {}

  static Scene of(String event) {
    Scene scene = SCENES.get(event);
    if (scene == null) {
      throw new IllegalStateException(
          "EventScenes has no scene for "
              + event
              + ": what makes it happen on the actor, and nothing else of its kind");
    }
    return scene;
  }

  private static void readsFields(Recorder recorder) {
    for (Field field : ActedValues.class.getDeclaredFields()) {
      recorder.watchReads(field);
    }
    ActedValues.reads();
  }

  private static void writesFields(Recorder recorder) {
    for (Field field : ActedValues.class.getDeclaredFields()) {
      recorder.watchWrites(field);
    }
    ActedValues.writes();
  }

  private static void wantsTooMuch() {
    try {
      use(new long[Integer.MAX_VALUE]);
      throw new IllegalStateException("there is room for that");
    } catch (OutOfMemoryError expected) {
      // That is what the JVM tells of.
    }
  }

  private static void use(Object object) {
    object.hashCode();
  }

  private static void waits() throws InterruptedException {
    Acted.Lock lock = new Acted.Lock();
    synchronized (lock) {
      lock.wait(1);
    }
  }

  private static void loads() throws ReflectiveOperationException, IOException {
    String name = ActedLoaded.class.getName();
    byte[] bytes;
    try (InputStream file =
        EventScenes.class.getResourceAsStream(ActedLoaded.class.getSimpleName() + ".class")) {
      bytes = file.readAllBytes();
    }
    ClassLoader loader =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String wanted) {
            return defineClass(wanted, bytes, 0, bytes.length);
          }
        };
    Class.forName(name, true, loader);
  }

  /** Wants a monitor that the other one has. */
  private static final class Contended implements Scene {

    private final Acted.Lock lock = new Acted.Lock();
    private volatile boolean held;

    @Override
    public void play(Recorder recorder) {
      Eventually.isTrue("the other one has it", () -> held);
      synchronized (lock) {
        use(lock);
      }
    }

    @Override
    public void beside(Thread actor) {
      synchronized (lock) {
        held = true;
        Eventually.isTrue(
            "it is wanted",
            () -> JvmTools.getCurrentContendedMonitor(actor).filter(it -> it == lock).isPresent());
        held = false;
      }
    }
  }
}
