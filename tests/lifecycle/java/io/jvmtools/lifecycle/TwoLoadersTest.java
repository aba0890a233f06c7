package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.Parked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several class loaders hold a copy of the library each, as in a web container. */
class TwoLoadersTest {

  @Test
  void withTheAgentTheyShareOneImage() {
    ChildResult result = ChildJvm.of(Two.class).agent("").run().succeeds();
    assertThat(result.line("second: ")).isEqualTo(result.line("first: "));
    result.err().isEmpty();
  }

  @Test
  void withoutTheAgentTheyShareTheImageOfTheFirst() {
    ChildResult result = ChildJvm.of(Two.class).run().succeeds();
    assertThat(result.line("second: ")).isEqualTo(result.line("first: "));
    result.err().noneMatch(line -> line.startsWith("INFO"));
  }

  /** As with a jar of another version but the same ABI, which brings a file of its own. */
  @Test
  void aFileOfTheSecondIsNotLoadedBesideThatOfTheFirst(@TempDir Path dir) throws Exception {
    Path other = Files.copy(Installation.library(), dir.resolve("libother.so"));
    ChildResult result = ChildJvm.of(Two.class).args(other.toString()).run().succeeds();
    assertThat(result.line("second: "))
        .isEqualTo(result.line("first: "))
        .isNotEqualTo(other.toString());
  }

  static final class Two {
    public static void main(String[] args) {
      LibraryCopy first = new LibraryCopy();
      LibraryCopy second = new LibraryCopy();
      System.out.println("first: " + first.call(Work.class));
      if (args.length > 0) {
        System.setProperty("jvmtools.library.path", args[0]);
      }
      System.out.println("second: " + second.call(Work.class));
      first.call(Work.class);
      second.call(Work.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyThatComeAtOnceShareOneImage(WayIn way) {
    way.of(Many.class).run().succeeds();
  }

  static final class Many {

    private static final int COPIES = 8;

    public static void main(String[] args) throws Exception {
      Set<String> files = ConcurrentHashMap.newKeySet();
      AtOnce.run(COPIES, number -> files.add(new LibraryCopy().call(Work.class)));
      assertThat(files).hasSize(1);
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
