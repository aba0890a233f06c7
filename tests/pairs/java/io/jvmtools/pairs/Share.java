package io.jvmtools.pairs;

import io.jvmtools.support.Today;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A part of many.
 *
 * @param number which one, counted from 0
 * @param shares how many there are
 */
record Share(int number, int shares) {

  static final Share ALL = new Share(0, 1);

  /** Another one each day, unless {@code -Pshare=N} chooses one. */
  static Share ofToday(int shares) {
    return new Share(Today.number() % shares, shares);
  }

  /** What {@link #toString()} has made. */
  static Share of(String text) {
    String[] parts = text.split("/");
    return new Share(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  /** One that is so many further on. */
  Share plus(int more) {
    return new Share((number + more) % shares, shares);
  }

  <T> List<T> of(List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> i % shares == number)
        .mapToObj(all::get)
        .toList();
  }

  @Override
  public String toString() {
    return number + "/" + shares;
  }
}
