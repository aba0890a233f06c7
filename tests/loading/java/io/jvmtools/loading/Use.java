package io.jvmtools.loading;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.ThreadNotAliveException;
import java.util.concurrent.Callable;

/**
 * Uses the library and says where it came from. It needs nothing but the library, so that a jar can
 * hold both, relocated or not.
 */
public final class Use implements Callable<String> {

  /** Prints what {@link #call()} answers; first attaches the agent when told to. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      Agent.attachSelf();
    }
    try {
      System.out.println("used " + new Use().call());
    } catch (LibraryLoadException refused) {
      System.out.println("refused " + refused.getMessage());
    }
  }

  /** Works; answers how the library came in, and its file. */
  @Override
  public String call() throws Exception {
    Thread ended = new Thread(() -> {});
    ended.start();
    ended.join();
    check(JvmTools.getThreadState(Thread.currentThread()).isAlive());
    check(JvmTools.getStackTrace(Thread.currentThread()).toString().contains("Use.call"));
    check(JvmTools.threadDump().toString().contains("main"));
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.frames().count(ended);
      throw new AssertionError("an ended thread has frames");
    } catch (ThreadNotAliveException ofThisCopy) {
      check(ofThisCopy.getClass().getClassLoader() == getClass().getClassLoader());
    }
    return Agent.origin() + " " + Agent.libraryPath();
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError("the library does not work");
    }
  }
}
