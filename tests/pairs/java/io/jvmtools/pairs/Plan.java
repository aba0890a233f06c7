package io.jvmtools.pairs;

import io.jvmtools.support.Installation;
import java.util.Arrays;
import java.util.List;

/**
 * Which pairs.
 *
 * @param seed what chance is made of
 * @param share which share of them
 * @param rounds how often each is done
 * @param only parts of the names of those that are done; all if there are none
 * @param without parts of the names of those that are not
 */
record Plan(long seed, Share share, int rounds, List<String> only, List<String> without) {

  private static final String FIELD = "\t";
  private static final String ELEMENT = "|";

  /** What {@link #toString()} has made. */
  static Plan of(String text) {
    String[] fields = text.split(FIELD, -1);
    return new Plan(
        Long.parseLong(fields[0]),
        Share.of(fields[1]),
        Integer.parseInt(fields[2]),
        split(fields[3]),
        split(fields[4]));
  }

  List<Pair> pairs() {
    return share.of(Pair.all()).stream()
        .filter(pair -> only.isEmpty() || only.stream().anyMatch(pair.toString()::contains))
        .filter(pair -> without.stream().noneMatch(pair.toString()::contains))
        .toList();
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
        share.toString(),
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
