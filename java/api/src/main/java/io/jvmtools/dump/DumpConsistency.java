package io.jvmtools.dump;

/** How far the parts of a {@link ThreadDump} belong to one moment. */
public enum DumpConsistency {

  /** The threads of the dump stood still while everything was read. */
  SUSPENDED("its threads stood still"),

  /**
   * States and stacks belong to one moment; locks and times were read while the threads went on, so
   * a thread that moves may be shown with a lock it got or gave back a moment later. Threads of
   * more than 512 frames, all together, and each further 8,192 in a JVM of 16,384 or with virtual
   * threads, are shown as they were a little later; those that had ended by then are left out.
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
