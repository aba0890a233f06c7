package io.jvmtools.oracle.asked;

import io.jvmtools.functions.OwnModule;
import io.jvmtools.oracle.actors.Actor;

/**
 * What functions are called with in every environment and on every kind of thread: what a method
 * here answers is passed for the parameters of its name, and leaves no trace; for the others what
 * any function takes that has a parameter of their type.
 *
 * @param thread which is asked about
 * @param object which is asked about
 * @param group which is asked about
 */
record Arguments(Thread thread, Object object, ThreadGroup group) implements SampleArguments {

  private static final Module MODULE = OwnModule.named("any");

  static Arguments with(Thread thread) {
    return new Arguments(thread, Names.object("any object"), new ThreadGroup("any group"));
  }

  /** More than one, for a list of one is a case of its own. */
  @Override
  public Thread[] threads() {
    return new Thread[] {thread, Actor.unstarted()};
  }

  @Override
  public int priority() {
    return Thread.NORM_PRIORITY;
  }

  @Override
  public int startDepth() {
    return 0;
  }

  @Override
  public int maxFrames() {
    return 100;
  }

  @Override
  public int depth() {
    return 0;
  }

  /**
   * That of a frame which is the same whoever asks: on the calling thread the innermost one is his.
   */
  @Override
  public int outer() {
    return 1;
  }

  @Override
  public int slot() {
    return 0;
  }

  /** One that has defined a class; those of the JVM have more from call to call. */
  @Override
  public ClassLoader loader() {
    return implClass().getClassLoader();
  }

  /** Nobody else has it, and once something was added to it, it stays as it is. */
  @Override
  public Module module() {
    return MODULE;
  }

  @Override
  public Module toModule() {
    return Arguments.class.getModule();
  }

  @Override
  public String packageName() {
    return MODULE.getName();
  }

  @Override
  public String pkgName() {
    return MODULE.getName();
  }

  @Override
  public Class<?> service() {
    return Runnable.class;
  }

  @Override
  public Class<?> implClass() {
    return OwnModule.provider(MODULE);
  }

  @Override
  public Object method() {
    try {
      return Names.class.getDeclaredMethod("ofIdentity", int.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Object field() {
    try {
      return Names.class.getDeclaredField("MONITORS");
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of no instruction. */
  @Override
  public long location() {
    return -1;
  }

  /** A thread's local storage, or an environment's. */
  @Override
  public long value() {
    return 5;
  }

  @Override
  public long tag() {
    return 6;
  }

  /** Between two samples, as a JVM begins. */
  @Override
  public int bytes() {
    return 512 * 1024;
  }

  @Override
  public long[] tags() {
    return new long[] {tag()};
  }

  /** An error's number. */
  @Override
  public int code() {
    return 15;
  }

  /** One of JNI. */
  @Override
  public String function() {
    return "GetVersion";
  }

  @Override
  public String flag() {
    return "JNI";
  }

  @Override
  public boolean on() {
    return false;
  }

  @Override
  public String[] capabilities() {
    return new String[0];
  }

  @Override
  public String prefix() {
    return "any_prefix_";
  }

  @Override
  public String[] prefixes() {
    return new String[] {"any_prefix_", "another_"};
  }
}
