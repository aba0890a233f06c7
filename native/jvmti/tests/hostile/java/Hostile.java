import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Makes everything that a reference can be, and hands it to the native side. */
public final class Hostile {

  private static final Object LOCK = new Object();
  private static final boolean VIRTUAL = Runtime.version().feature() >= 21;
  private static final List<Object> NAMES_AND_VICTIMS = new ArrayList<>();

  private Hostile() {}

  public static void main(String[] args) throws Exception {
    synchronized (LOCK) {
      platformThreads();
      if (VIRTUAL) {
        virtualThreads();
      }
      groups();
      classes();
      loaders();
      modules();
      objects();
      Object[] all = NAMES_AND_VICTIMS.toArray();
      attack(all);
      if (VIRTUAL) {
        // It interrupts everybody: nobody can join it.
        await(startVirtual(() -> attackAsVirtualThread(all)), Thread.State.TERMINATED);
      }
      System.out.println("survived");
      Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {});
      try {
        stop(all);
      } catch (Stopped itself) {
        // Whatever a thread was at when it was stopped is broken now: no more Java than this.
        Runtime.getRuntime().halt(0);
      }
    }
    throw new AssertionError("it was not stopped");
  }

  /** What can be done to oneself and others and undone. */
  private static native void attack(Object[] namesAndVictims);

  /** The same, except what a virtual thread would not come back from. */
  private static native void attackAsVirtualThread(Object[] namesAndVictims);

  /** Throws an error in every thread, the calling one last. */
  private static native void stop(Object[] namesAndVictims);

  private static int counted;
  private static Object kept;

  /** Events of most kinds. */
  static void happen() throws Exception {
    counted += one();
    // It is made of bytes of a listener, four times of such as are no class.
    for (int turn = 0; turn < 5; turn++) {
      try {
        kept = shortLived();
      } catch (LinkageError noClass) {
        kept = noClass;
      }
    }
    Thread thread = start(() -> {});
    thread.join();
    try {
      throw new IllegalStateException(kept.toString());
    } catch (IllegalStateException caught) {
      kept = caught;
    }
    synchronized (kept) {
      kept.wait(1);
    }
    System.gc();
  }

  private static int one() {
    return 1;
  }

  /** A class that is unloaded when nobody refers to it. */
  static Class<?> shortLived() throws Exception {
    try (var in = Hostile.class.getResourceAsStream("Hostile$Gone.class")) {
      return new OneClassLoader().define(in.readAllBytes());
    }
  }

  private static void platformThreads() throws Exception {
    add("the current thread", Thread.currentThread());
    add("a parked thread", await(start(Hostile::park), Thread.State.WAITING));
    add("a waiting thread", await(start(Hostile::waitForEver), Thread.State.WAITING));
    add("a thread that waits for a monitor", await(start(Hostile::lock), Thread.State.BLOCKED));
    add("a thread that owns monitors", await(start(Hostile::own), Thread.State.WAITING));
    add("a deep thread", await(start(() -> deep(2_000)), Thread.State.WAITING));
    add("a thread that runs", start(Hostile::spin));
    add("a new thread", new Thread(Hostile::park));
    Thread ended = start(() -> {});
    ended.join();
    add("a thread that has ended", ended);
    add("a thread without constructor", withoutConstructor(Thread.class));
  }

  private static void virtualThreads() throws Exception {
    Thread parked = startVirtual(Hostile::park);
    add("a virtual thread", await(parked, Thread.State.WAITING));
    Thread waiting = startVirtual(Hostile::waitForEver);
    add("a virtual thread that waits", await(waiting, Thread.State.WAITING));
    add("a virtual thread that owns", await(startVirtual(Hostile::own), Thread.State.WAITING));
    add("a deep virtual thread", await(startVirtual(() -> deep(2_000)), Thread.State.WAITING));
    add("a virtual thread that runs", startVirtual(Hostile::spin));
    add("a new virtual thread", newVirtual(Hostile::park));
    Thread ended = startVirtual(() -> {});
    ended.join();
    add("a virtual thread that has ended", ended);
  }

  private static void groups() throws Exception {
    ThreadGroup own = Thread.currentThread().getThreadGroup();
    add("the current group", own);
    add("the top group", own.getParent());
    add("a nameless group", new ThreadGroup((String) null));
    add("a group without constructor", withoutConstructor(ThreadGroup.class));
  }

  private static void classes() {
    Runnable lambda = () -> {};
    add("a hidden class", lambda.getClass());
    for (Class<?> type :
        List.of(
            int.class,
            void.class,
            int[].class,
            Object[][].class,
            Runnable.class,
            Enum.class,
            Integer.class)) {
      add(type.getName(), type);
    }
  }

  private static void loaders() throws Exception {
    add("the application's loader", Hostile.class.getClassLoader());
    add("the platform's loader", ClassLoader.getPlatformClassLoader());
    add("a loader of nothing", new OneClassLoader());
    add("a loader without constructor", withoutConstructor(OneClassLoader.class));
  }

  private static void modules() throws Exception {
    add("the module java.base", Object.class.getModule());
    add("the current module", Hostile.class.getModule());
    add("a module of nothing", new OneClassLoader().getUnnamedModule());
    add("a module without constructor", withoutConstructor(Module.class));
  }

  private static void objects() throws Exception {
    add("null", null);
    add("a string", "\0\ud83d\ude00");
    add("an array", new int[1_000]);
    add("an array of threads", new Thread[] {Thread.currentThread(), null});
    add("the lock", LOCK);
    add("an error", new Stopped());
    add("a throwable without constructor", withoutConstructor(Stopped.class));
  }

  private static void add(String name, Object victim) {
    NAMES_AND_VICTIMS.add(name);
    NAMES_AND_VICTIMS.add(victim);
  }

  private static void park() {
    while (true) {
      LockSupport.park();
      // Or it parks no more.
      Thread.interrupted();
    }
  }

  private static void spin() {
    for (long turn = 1; true; turn++) {
      Thread.onSpinWait();
      if (turn % 100_000 == 0) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static void lock() {
    synchronized (LOCK) {
      park();
    }
  }

  private static void own() {
    synchronized (new Object()) {
      synchronized (new int[1]) {
        park();
      }
    }
  }

  private static void waitForEver() {
    Object own = new Object();
    synchronized (own) {
      while (true) {
        try {
          own.wait();
        } catch (InterruptedException goOn) {
          // That is what some calls do.
        }
      }
    }
  }

  private static void deep(int depth) {
    if (depth > 0) {
      deep(depth - 1);
    }
    park();
  }

  private static Thread start(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static Thread await(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.yield();
    }
    return thread;
  }

  private static Thread startVirtual(Runnable body) throws Exception {
    Thread thread = newVirtual(body);
    thread.start();
    return thread;
  }

  /** What {@code Thread.ofVirtual().unstarted(body)} is from 21 on. */
  private static Thread newVirtual(Runnable body) throws Exception {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Method unstarted =
        Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
    return (Thread) unstarted.invoke(builder, body);
  }

  private static Object withoutConstructor(Class<?> type) throws Exception {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    return unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type);
  }

  /** What is thrown in threads. */
  static final class Stopped extends Error {

    private static final long serialVersionUID = 1;
  }

  /** The class that comes and goes. */
  static final class Gone {

    static void method() {}
  }

  private static final class OneClassLoader extends ClassLoader {

    OneClassLoader() {
      super(null);
    }

    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }
}
