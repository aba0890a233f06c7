package io.jvmtools.oracle.events;

/** Whose frame is told of when it is left. */
final class ActedFrame {

  private ActedFrame() {}

  static void asks(Recorder recorder) {
    recorder.notifyFramePop(0);
  }
}
