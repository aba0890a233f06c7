package io.jvmtools.neighbour;

/** What collects the garbage. */
enum Collector {
  G1("-XX:+UseG1GC"),
  ZGC("-XX:+UseZGC");

  private final String option;

  Collector(String option) {
    this.option = option;
  }

  /** The option of the JVM. */
  String option() {
    return option;
  }
}
