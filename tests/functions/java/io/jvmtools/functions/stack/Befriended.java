package io.jvmtools.functions.stack;

/**
 * Keeps variables of its own class, and of one that a copy of it in another loader has from here.
 */
public final class Befriended extends Friend implements Runnable {

  private final Runnable next;

  public Befriended(Runnable next) {
    this.next = next;
  }

  @Override
  public void run() {
    keep(null, null, null);
  }

  private String keep(Befriended own, Friend named, Friend[] several) {
    Class<?> known = Friend.class;
    next.run();
    return known.getName() + own + named + several;
  }
}
