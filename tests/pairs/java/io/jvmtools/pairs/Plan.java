package io.jvmtools.pairs;

import io.jvmtools.support.Installation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which pairs.
 *
 * @param seed what chance is made of
 * @param share which share of them, counted from 0
 * @param shares how many shares there are
 * @param rounds how often each is done
 * @param only parts of the names of those that are done; all if there are none
 * @param without parts of the names of those that are not
 */
record Plan(long seed, int share, int shares, int rounds, List<String> only, List<String> without) {

  private static final String FIELD = "\t";
  private static final String ELEMENT = "|";

  /** What {@link #toString()} has made. */
  static Plan of(String text) {
    String[] fields = text.split(FIELD, -1);
    return new Plan(
        Long.parseLong(fields[0]),
        Integer.parseInt(fields[1]),
        Integer.parseInt(fields[2]),
        Integer.parseInt(fields[3]),
        split(fields[4]),
        split(fields[5]));
  }

  List<Pair> pairs() {
    List<Pair> all = Pair.all();
    return IntStream.range(0, all.size())
        .filter(i -> i % shares == share)
        .mapToObj(all::get)
        .filter(pair -> only.isEmpty() || only.stream().anyMatch(pair.toString()::contains))
        .filter(pair -> without.stream().noneMatch(pair.toString()::contains))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** What repeats one of the pairs. */
  String command(Pair pair) {
    return "./dev pairs --jdk " + Installation.feature() + " --seed " + seed + " '" + pair + "'";
  }

  @Override
  public String toString() {
    return String.join(
        FIELD,
        Long.toString(seed),
        Integer.toString(share),
        Integer.toString(shares),
        Integer.toString(rounds),
        String.join(ELEMENT, only),
        String.join(ELEMENT, without));
  }

  private static List<String> split(String elements) {
    return elements.isEmpty()
        ? List.of()
        : Arrays.asList(elements.split(java.util.regex.Pattern.quote(ELEMENT)));
  }
}
