package io.jvmtools.benches;

/** How much a contestant may take, compared with another one. */
interface Limit {

  /** Whether ours keeps it. */
  boolean isMet(Figure ours, Figure theirs);

  /** So many nanoseconds more. */
  static Limit atMostMore(double nanos) {
    return named(
        String.format("+%.0f ns", nanos), (ours, theirs) -> ours.cpu() - theirs.cpu() <= nanos);
  }

  /** So many times faster. */
  static Limit faster(double factor) {
    return named("x" + factor, (ours, theirs) -> theirs.cpu() / ours.cpu() >= factor);
  }

  /** This part of what the other takes. */
  static Limit atMostPercent(int percent) {
    return named(percent + " %", (ours, theirs) -> ours.cpu() * 100 <= theirs.cpu() * percent);
  }

  private static Limit named(String name, Limit limit) {
    return new Limit() {
      @Override
      public boolean isMet(Figure ours, Figure theirs) {
        return limit.isMet(ours, theirs);
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }
}
