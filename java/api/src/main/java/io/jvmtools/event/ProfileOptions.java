package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

/**
 * What a profile counts, and how much memory it may take: about 24 bytes for each frame of each
 * stack, and a third of that more while a snapshot is made. Options are values: each method makes
 * others.
 */
public final class ProfileOptions {

  private static final int MOST_FRAMES = 1_024;
  private static final int MOST_STACKS = 1 << 17;

  /** All of them, with 64 frames of each stack, and 16,384 stacks. */
  public static final ProfileOptions DEFAULT = new ProfileOptions(EventFilter.ANY, 64, 1 << 14);

  private final EventFilter filter;
  private final int depth;
  private final int stacks;

  private ProfileOptions(EventFilter filter, int depth, int stacks) {
    this.filter = filter;
    this.depth = depth;
    this.stacks = stacks;
  }

  /**
   * Only some of the events. What is filtered is not looked at any further.
   *
   * @param filter which
   * @return options that ask for that, too, in place of another filter
   */
  public ProfileOptions filter(EventFilter filter) {
    return new ProfileOptions(requireNonNull(filter, "filter"), depth, stacks);
  }

  /**
   * How many frames of a stack are looked at, the innermost ones. The deeper, the dearer, and the
   * more stacks there are.
   *
   * @param frames from 1 to 1,024
   * @return options that ask for that, too, in place of another depth
   * @throws IllegalArgumentException if it is none of these
   */
  public ProfileOptions depth(int frames) {
    return new ProfileOptions(filter, between(frames, MOST_FRAMES, "frames"), stacks);
  }

  /**
   * How many stacks are told apart: with the class, if there is one. What happens at others, once
   * there are so many, counts as lost.
   *
   * @param most from 1 to 131,072
   * @return options that ask for that, too, in place of another number
   * @throws IllegalArgumentException if it is none of these
   */
  public ProfileOptions stacks(int most) {
    return new ProfileOptions(filter, depth, between(most, MOST_STACKS, "stacks"));
  }

  private static int between(int number, int most, String what) {
    if (number < 1 || number > most) {
      throw new IllegalArgumentException(number + " " + what + ": there may be 1 to " + most);
    }
    return number;
  }

  EventFilter filter() {
    return filter;
  }

  int depth() {
    return depth;
  }

  int stacks() {
    return stacks;
  }

  /**
   * What it asks for.
   *
   * @return a text for people
   */
  @Override
  public String toString() {
    return filter + ", " + depth + " frames, " + stacks + " stacks";
  }
}
