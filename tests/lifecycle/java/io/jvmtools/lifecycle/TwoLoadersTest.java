package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.GeneralNatives;
import io.jvmtools.internal.NativeLibrary;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.Parked;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Two class loaders hold a copy of the library each, as in a web container. */
class TwoLoadersTest {

  @Test
  void withTheAgentTheyShareOneImage() {
    ChildResult result = ChildJvm.of(Two.class).agent("").run().succeeds();
    assertThat(result.line("second: ")).isEqualTo(result.line("first: "));
    result.err().isEmpty();
  }

  @Test
  void withoutTheAgentTheSecondGetsAPrivateCopyAndSaysSoOnce() {
    ChildResult result = ChildJvm.of(Two.class).run().succeeds();
    assertThat(result.line("second: ")).isNotEqualTo(result.line("first: "));
    result.err().filteredOn(line -> line.contains("private copy")).hasSize(1);
  }

  static final class Two {
    public static void main(String[] args) {
      LibraryCopy first = new LibraryCopy();
      LibraryCopy second = new LibraryCopy();
      System.out.println("first: " + first.call(Work.class));
      System.out.println("second: " + second.call(Work.class));
      first.call(Work.class);
      second.call(Work.class);
    }
  }

  /** Works, insists that what is thrown is of its own copy, and answers the file of the image. */
  static final class Work implements Callable<String> {
    @Override
    public String call() {
      assertThat(JvmTools.getThreadState(Thread.currentThread()).isAlive()).isTrue();
      assertThat(JvmTools.getStackTrace(Thread.currentThread())).isNotEmpty();
      NativeLibrary.load();
      Thread ended = Parked.ended();
      try {
        JvmTools.getFrameCount(ended);
        throw new AssertionError("an ended thread has frames");
      } catch (ThreadNotAliveException ofThisCopy) {
        assertThat(ofThisCopy.getClass().getClassLoader()).isSameAs(getClass().getClassLoader());
      }
      return GeneralNatives.libraryPath();
    }
  }
}
