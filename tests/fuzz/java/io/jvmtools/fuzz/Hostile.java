package io.jvmtools.fuzz;

/** Marks what arguments throw themselves: that may pass through any method. */
interface Hostile {

  /** Unchecked. */
  final class Failure extends RuntimeException implements Hostile {
    private static final long serialVersionUID = 1L;

    Failure() {
      super("thrown by an argument");
    }
  }

  /** Checked. */
  final class Checked extends Exception implements Hostile {
    private static final long serialVersionUID = 1L;

    Checked() {
      super("thrown by an argument");
    }
  }

  /** An error. */
  final class Fatal extends Error implements Hostile {
    private static final long serialVersionUID = 1L;

    Fatal() {
      super("thrown by an argument");
    }
  }

  /** An object that answers nothing. */
  final class Value {
    @Override
    public boolean equals(Object other) {
      throw new Failure();
    }

    @Override
    public int hashCode() {
      throw new Failure();
    }

    @Override
    public String toString() {
      throw new Failure();
    }
  }

  /** A thread that answers nothing and runs a body. */
  final class Subclass extends Thread {

    Subclass(ThreadGroup group, Runnable body) {
      super(group, body, "hostile\0\ud800 %s %n \ud83d\ude00");
    }

    @Override
    public Thread.State getState() {
      throw new Failure();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new Failure();
    }

    @Override
    public long getId() {
      throw new Failure();
    }

    @Override
    public ClassLoader getContextClassLoader() {
      throw new Failure();
    }

    @Override
    public boolean isInterrupted() {
      throw new Failure();
    }

    @Override
    public int hashCode() {
      throw new Failure();
    }

    @Override
    public boolean equals(Object other) {
      throw new Failure();
    }

    @Override
    public String toString() {
      throw new Failure();
    }
  }
}
