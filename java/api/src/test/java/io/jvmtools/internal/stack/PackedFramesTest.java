package io.jvmtools.internal.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PackedFramesTest {

  private static final long ID = 0x7F12_3456_789AL;

  @Test
  void readsOneLongAFrame() {
    PackedFrames frames =
        PackedFrames.of(new long[] {ID << 16 | 65534, ID << 16, 8L << 16 | 0xFFFF});

    assertThat(frames.count()).isEqualTo(3);
    assertThat(frames.methodId(0)).isEqualTo(ID);
    assertThat(frames.location(0)).isEqualTo(65534);
    assertThat(frames.location(1)).isZero();
    assertThat(frames.methodId(2)).isEqualTo(8);
    assertThat(frames.location(2)).isEqualTo(-1);
  }

  @Test
  void readsIdsWithTheHighestOfTheirFortyEightBits() {
    long high = 0xFFFF_FFFF_FFF8L;

    assertThat(PackedFrames.of(new long[] {high << 16 | 1}).methodId(0)).isEqualTo(high);
  }

  @Test
  void readsTwoLongsAFrame() {
    PackedFrames frames = PackedFrames.of(new long[] {-1, Long.MIN_VALUE | 8, 7, 16, -1});

    assertThat(frames.count()).isEqualTo(2);
    assertThat(frames.methodId(0)).isEqualTo(Long.MIN_VALUE | 8);
    assertThat(frames.location(0)).isEqualTo(7);
    assertThat(frames.methodId(1)).isEqualTo(16);
    assertThat(frames.location(1)).isEqualTo(-1);
  }

  @Test
  void readsFramesWithinALargerArray() {
    long[] narrow = {1, 5, 2, 8L << 16 | 3, 16L << 16 | 4};
    PackedFrames frames = PackedFrames.of(narrow, 3, 2, 1);
    assertThat(frames.methodId(1)).isEqualTo(16);
    assertThat(frames.location(1)).isEqualTo(4);

    long[] wide = {2, 5, 1, -8, 3};
    assertThat(PackedFrames.of(wide, 3, 1, 2).methodId(0)).isEqualTo(-8);
    assertThat(PackedFrames.of(wide, 3, 1, 2).location(0)).isEqualTo(3);
  }

  @Test
  void anEmptyArrayHasNoFrames() {
    assertThat(PackedFrames.of(new long[0]).count()).isZero();
    assertThat(PackedFrames.of(new long[] {-1}).count()).isZero();
  }
}
