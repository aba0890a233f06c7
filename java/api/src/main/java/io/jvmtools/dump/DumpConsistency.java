package io.jvmtools.dump;

/** How far the parts of a {@link ThreadDump} belong to one moment. */
public enum DumpConsistency {

  /** The threads of the dump stood still while everything was read. */
  SUSPENDED("its threads stood still"),

  /**
   * States and stacks belong to one moment; locks, times and carriers were read while the threads
   * went on, so a thread that moves may be shown with a lock it got or gave back, or on a carrier
   * that it got or left, a moment later. A little later, too, are stacks of 512 frames or more
   * read, a few at a time, or of 256 where there are more than 8,192 threads; those that have ended
   * by then are left out. And of more than 16,384 threads, or more than 8,192 that are chosen, or
   * virtual, or beside such that carry virtual ones, 8,192 at a time are read at one moment.
   */
  SAFEPOINT("stacks at one safepoint, locks and times read right after it");

  private final String sentence;

  DumpConsistency(String sentence) {
    this.sentence = sentence;
  }

  /**
   * The same in words, as the text of a dump has it.
   *
   * @return for example {@code "its threads stood still"}
   */
  public String sentence() {
    return sentence;
  }
}
