package io.jvmtools.neighbour;

/** The programs, and how much heap each has. */
enum Program {
  SERVER("1g"),
  BROKER("512m"),
  INDEX("512m");

  private final String heap;

  Program(String heap) {
    this.heap = heap;
  }

  String heap() {
    return heap;
  }
}
