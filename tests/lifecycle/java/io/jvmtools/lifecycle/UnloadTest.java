package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.LibraryCopy;
import java.lang.ref.WeakReference;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The class loader that loaded the library is collected while an event is armed. */
class UnloadTest {

  @ParameterizedTest
  @EnumSource
  void anArmedEventSurvivesItsClassLoaderAndThenEnds(WayIn way) {
    way.of(Unload.class).run().succeeds();
  }

  static final class Unload {

    private static final int ROUNDS = 3;

    public static void main(String[] args) throws Exception {
      for (int round = 0; round < ROUNDS; round++) {
        GcUntil.cleared(armAndDrop());
        // Unmapped with the event armed, the image would take the JVM down here.
        startThreads();
      }
      LibraryCopy copy = new LibraryCopy();
      long starts = copy.call(Count.class);
      assertThat(starts).as("counted before by the image, which is never unmapped").isPositive();
      // The steward takes down what the loader leaves, when he comes to it.
      Eventually.isTrue("the events of what is gone end", () -> !areCounted(copy));
      long ended = copy.call(Count.class);
      assertThat(copy.<Long>call(Arm.class)).as("events, armed again").isGreaterThan(ended);
    }

    private static boolean areCounted(LibraryCopy copy) {
      long before = copy.call(Count.class);
      startThreads();
      return copy.<Long>call(Count.class) > before;
    }

    static WeakReference<?> armAndDrop() {
      LibraryCopy copy = new LibraryCopy();
      assertThat(copy.<Long>call(Arm.class)).isPositive();
      copy.close();
      return new WeakReference<>(copy);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCopyWorksOnWhenTheOneThatLoadedTheImageIsGone(WayIn way) {
    way.of(Outlive.class).run().succeeds();
  }

  static final class Outlive {
    public static void main(String[] args) {
      LibraryCopy second = new LibraryCopy();
      GcUntil.cleared(armThenShareAndDrop(second));
      assertThat(second.<Long>call(Arm.class)).isPositive();
      long starts = second.call(Count.class);
      assertThat(new LibraryCopy().<Long>call(Count.class)).as("one image").isEqualTo(starts);
    }

    private static WeakReference<?> armThenShareAndDrop(LibraryCopy second) {
      WeakReference<?> first = Unload.armAndDrop();
      assertThat(second.<Long>call(Arm.class)).isPositive();
      return first;
    }
  }

  /** Arms ThreadStart and answers how many have been counted after a thread started. */
  static final class Arm implements Callable<Long> {

    private static final Object OWNER = new Object();

    @Override
    public Long call() throws Exception {
      NativeLibrary.load();
      SelfTestNatives.armThreadStart(GeneralNatives.open(OWNER));
      startThreads();
      return SelfTestNatives.threadStarts();
    }
  }

  /** Answers how many thread starts have been counted. */
  static final class Count implements Callable<Long> {
    @Override
    public Long call() {
      NativeLibrary.load();
      return SelfTestNatives.threadStarts();
    }
  }

  private static void startThreads() {
    for (int i = 0; i < 50; i++) {
      Thread thread = new Thread(() -> {});
      thread.start();
      Eventually.isTrue("it ends", () -> !thread.isAlive());
    }
  }
}
