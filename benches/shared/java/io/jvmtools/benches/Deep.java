package io.jvmtools.benches;

/**
 * Ten methods that call each other in a ring, so that a deep stack is not one method over and over.
 */
final class Deep {
  private Deep() {}

  /** Runs the bottom under so many frames of this class, this one among them. */
  static void run(int frames, Runnable bottom) {
    if (frames > 1) {
      one(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  /** Runs the bottom as the frame of that number, counted from the thread's first. */
  static void runAtDepth(int depth, Runnable bottom) {
    int here = StackWalker.getInstance().walk(frames -> (int) frames.count());
    run(depth - here - 1, bottom);
  }

  private static void one(int frames, Runnable bottom) {
    if (frames > 1) {
      two(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void two(int frames, Runnable bottom) {
    if (frames > 1) {
      three(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void three(int frames, Runnable bottom) {
    if (frames > 1) {
      four(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void four(int frames, Runnable bottom) {
    if (frames > 1) {
      five(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void five(int frames, Runnable bottom) {
    if (frames > 1) {
      six(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void six(int frames, Runnable bottom) {
    if (frames > 1) {
      seven(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void seven(int frames, Runnable bottom) {
    if (frames > 1) {
      eight(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void eight(int frames, Runnable bottom) {
    if (frames > 1) {
      nine(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }

  private static void nine(int frames, Runnable bottom) {
    if (frames > 1) {
      run(frames - 1, bottom);
    } else {
      bottom.run();
    }
  }
}
