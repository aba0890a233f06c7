package io.jvmtools.internal.stack;

/**
 * Frames as the native side packs them: one {@code long} a frame, method id shifted left by 16 and
 * the location below, or two where an id does not fit in 48 bits.
 */
public final class PackedFrames {

  /** Element 0 of an array of two longs a frame. No frame packs to it. */
  private static final long WIDE = -1;

  private static final int NARROW_LOCATION = 0xFFFF;

  private final long[] packed;
  private final int from;
  private final int count;
  private final boolean wide;

  private PackedFrames(long[] packed, int from, int count, boolean wide) {
    this.packed = packed;
    this.from = from;
    this.count = count;
    this.wide = wide;
  }

  /**
   * The frames of one stack, as {@link FrameNatives#getStackTrace} answers them.
   *
   * @param packed the array, used and not copied
   * @return its frames
   */
  public static PackedFrames of(long[] packed) {
    return packed.length > 0 && packed[0] == WIDE
        ? new PackedFrames(packed, 1, (packed.length - 1) >> 1, true)
        : new PackedFrames(packed, 0, packed.length, false);
  }

  /**
   * Some frames within a larger array.
   *
   * @param packed the array, used and not copied
   * @param from where the first frame begins
   * @param count how many frames there are
   * @param longsPerFrame 1 or 2
   * @return the frames
   */
  public static PackedFrames of(long[] packed, int from, int count, long longsPerFrame) {
    return new PackedFrames(packed, from, count, longsPerFrame == 2);
  }

  /**
   * The frames below some.
   *
   * @param frames how many to leave out at the top
   * @return the others, none if there are not that many
   */
  public PackedFrames below(int frames) {
    int left = Math.max(0, count - frames);
    return new PackedFrames(packed, from + (count - left) * (wide ? 2 : 1), left, wide);
  }

  /**
   * The innermost frames.
   *
   * @param frames how many, not more than there are
   * @return those
   */
  public PackedFrames top(int frames) {
    return new PackedFrames(packed, from, frames, wide);
  }

  /**
   * How many frames there are.
   *
   * @return their number
   */
  public int count() {
    return count;
  }

  /**
   * The method id of a frame.
   *
   * @param frame its index, 0 for the top
   * @return the id
   */
  public long methodId(int frame) {
    return wide ? packed[from + (frame << 1)] : packed[from + frame] >>> 16;
  }

  /**
   * The location of a frame.
   *
   * @param frame its index, 0 for the top
   * @return the location, −1 in a native method
   */
  public long location(int frame) {
    if (wide) {
      return packed[from + (frame << 1) + 1];
    }
    long location = packed[from + frame] & NARROW_LOCATION;
    return location == NARROW_LOCATION ? -1 : location;
  }
}
