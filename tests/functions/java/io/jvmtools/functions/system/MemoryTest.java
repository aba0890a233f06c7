package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allocate, and what Deallocate does of it. */
class MemoryTest {

  private static final int MEGABYTE = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 4096, MEGABYTE})
  void aBufferHasSoManyZerosAndKeepsWhatIsWritten(int bytes) {
    try (Jvmti jvmti = Jvmti.open()) {
      for (ByteBuffer buffer : List.of(jvmti.memory().allocate(bytes), JvmTools.allocate(bytes))) {
        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer.isReadOnly()).isFalse();
        assertThat(buffer.capacity()).isEqualTo(bytes);
        assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        byte[] read = new byte[bytes];
        buffer.get(read);
        assertThat(read).isEqualTo(new byte[bytes]);
        byte[] written = new byte[bytes];
        new Random(bytes).nextBytes(written);
        buffer.clear().put(written);
        buffer.flip().get(read);
        assertThat(read).isEqualTo(written);
      }
    }
  }

  @Test
  void buffersDoNotOverlap() {
    List<ByteBuffer> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ByteBuffer buffer = JvmTools.allocate(100);
      while (buffer.hasRemaining()) {
        buffer.put((byte) i);
      }
      all.add(buffer);
    }
    for (int i = 0; i < all.size(); i++) {
      for (int at = 0; at < 100; at++) {
        assertThat(all.get(i).get(at)).isEqualTo((byte) i);
      }
    }
  }

  @Test
  void itOutlivesItsEnvironment() {
    ByteBuffer buffer;
    try (Jvmti jvmti = Jvmti.open()) {
      buffer = jvmti.memory().allocate(8);
    }
    System.gc();
    buffer.putLong(0, 42);
    assertThat(buffer.getLong(0)).isEqualTo(42);
  }

  @Test
  void aNegativeNumberIsRefused() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.memory().allocate(-1))
          .withMessage("bytes: -1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> JvmTools.allocate(Integer.MIN_VALUE))
          .withMessage("bytes: -2147483648");
    }
  }

  @Test
  void aClosedEnvironmentGivesNone() {
    Jvmti jvmti = Jvmti.open();
    jvmti.close();
    assertThatIllegalStateException().isThrownBy(() -> jvmti.memory().allocate(1));
    assertThatIllegalStateException().isThrownBy(() -> jvmti.memory().allocated());
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void whatCannotBeReachedGoesBack() {
    ChildJvm.of(GoingBack.class).run().succeeds();
  }

  static final class GoingBack {
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        assertThat(jvmti.memory().allocated()).isZero();
        viewKeepsItsBuffer(jvmti);
      }
      try (Jvmti jvmti = Jvmti.open()) {
        goesBackTo(0, jvmti);
      }
    }

    @SuppressWarnings("ReachabilityFenceUsage") // Until here, and no longer.
    private static void viewKeepsItsBuffer(Jvmti jvmti) {
      LongBuffer view = viewOf(jvmti.memory().allocate(MEGABYTE));
      jvmti.memory().allocate(3 * MEGABYTE);
      JvmTools.allocate(0);
      goesBackTo(MEGABYTE, jvmti);
      view.put(0, 5);
      assertThat(view.get(0)).isEqualTo(5);
      Reference.reachabilityFence(view);
    }

    private static LongBuffer viewOf(ByteBuffer buffer) {
      return buffer.position(8).slice().asLongBuffer();
    }

    private static void goesBackTo(long bytes, Jvmti jvmti) {
      Eventually.isTrue(
          "all that nobody can reach has gone back, and no more",
          () -> {
            System.gc();
            return jvmti.memory().allocated() == bytes;
          });
    }
  }

  /**
   * However many there are, an allocation looks at others only after a collection, and once then.
   */
  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void buffersThatAreThereAreLookedAtAfterACollection() {
    ChildJvm.of(Many.class).run().succeeds();
  }

  static final class Many {

    private static final int BUFFERS = 4_000;

    @SuppressWarnings("ReachabilityFenceUsage") // If it fails, nobody wants them.
    public static void main(String[] args) {
      List<ByteBuffer> kept = new ArrayList<>();
      allocate(kept);
      long collections = collections();
      long looks = SelfTestNatives.looksAtMemory();
      allocate(kept);
      looks = SelfTestNatives.looksAtMemory() - looks;
      collections = collections() - collections;
      // And some may be left of the one before.
      assertThat(looks).isLessThanOrEqualTo((collections + 1) * 3 * BUFFERS);
      Reference.reachabilityFence(kept);
    }

    private static void allocate(List<ByteBuffer> kept) {
      for (int i = 0; i < BUFFERS; i++) {
        kept.add(JvmTools.allocate(8));
      }
    }

    private static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }

  /** Sixteen megabytes are what a heap of 64 allows, and two hundred pass through them. */
  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void moreThanAllowedIsRefusedOnceThereIsNothingToCollect() {
    ChildJvm.of(Much.class).jvmArgs("-Xmx64m", "-Xms64m", "-XX:+UseSerialGC").run().succeeds();
  }

  static final class Much {
    public static void main(String[] args) throws Exception {
      int allowed = (int) (Runtime.getRuntime().maxMemory() / 4);
      for (int i = 0; i < 200; i++) {
        JvmTools.allocate(MEGABYTE);
      }
      AtOnce.run(
          4,
          number -> {
            for (int i = 0; i < 50; i++) {
              JvmTools.allocate(MEGABYTE).putInt(0, i);
            }
          });
      refused(Integer.MAX_VALUE);
      refused(allowed + 1);
      List<ByteBuffer> kept = new ArrayList<>();
      while (kept.size() < allowed / MEGABYTE - 1) {
        kept.add(JvmTools.allocate(MEGABYTE));
      }
      refused(2 * MEGABYTE);
      // Those without bytes take a little, too.
      List<ByteBuffer> empty = new ArrayList<>();
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(
              () -> {
                while (empty.size() < MEGABYTE) {
                  empty.add(JvmTools.allocate(0));
                }
              });
      assertThat(kept).allSatisfy(buffer -> assertThat(buffer.getLong(0)).isZero());
      kept.clear();
      System.gc();
      JvmTools.allocate(2 * MEGABYTE);
    }

    private static void refused(int bytes) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> JvmTools.allocate(bytes))
          .withMessageMatching(
              "Allocate: the JVM has no native memory left for it \\(" + bytes + " bytes more .*");
    }
  }
}
