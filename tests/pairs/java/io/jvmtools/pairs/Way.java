package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;

/** How the disturber suspends and resumes: by whoever can have the capability at that moment. */
interface Way {

  void suspend(Thread thread);

  void resume(Thread thread);

  /** By the static door. */
  final class StaticDoor implements Way {
    @Override
    public void suspend(Thread thread) {
      JvmTools.suspendThread(thread);
    }

    @Override
    public void resume(Thread thread) {
      JvmTools.resumeThread(thread);
    }

    @Override
    public String toString() {
      return "the static door";
    }
  }

  /** By an environment of the disturber's own, which takes the capability for as long. */
  record Own(Jvmti environment) implements Way {
    @Override
    public void suspend(Thread thread) {
      environment.add(Capability.CAN_SUSPEND);
      environment.threads().suspend(thread);
    }

    @Override
    public void resume(Thread thread) {
      environment.add(Capability.CAN_SUSPEND);
      environment.threads().resume(thread);
    }

    @Override
    public String toString() {
      return "a further environment";
    }
  }

  /** By an environment of the callers, if it holds the capability. */
  record Theirs(Place place) implements Way {
    @Override
    public void suspend(Thread thread) {
      last().threads().suspend(thread);
    }

    @Override
    public void resume(Thread thread) {
      last().threads().resume(thread);
    }

    private Jvmti last() {
      Jvmti last = place.last();
      if (last == null) {
        throw new IllegalStateException("there is none: this environment is closed");
      }
      return last;
    }

    @Override
    public String toString() {
      return "an environment of theirs";
    }
  }
}
