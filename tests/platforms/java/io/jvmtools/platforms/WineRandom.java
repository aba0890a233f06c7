package io.jvmtools.platforms;

import java.security.Provider;
import java.security.SecureRandomSpi;
import java.util.SplittableRandom;

/**
 * Random numbers under Wine 8, which lacks a function that the JDK's own generators seed themselves
 * with. For names of temporary files; named in the runtime's {@code java.security}.
 */
public final class WineRandom extends Provider {

  private static final long serialVersionUID = 1;

  /** Called by the JDK. */
  public WineRandom() {
    super("WineRandom", "1", "random numbers for tests under Wine");
    put("SecureRandom.WineRandom", Numbers.class.getName());
  }

  /** The numbers. */
  public static final class Numbers extends SecureRandomSpi {

    private static final long serialVersionUID = 1;

    private final transient SplittableRandom random =
        new SplittableRandom(System.nanoTime() ^ ProcessHandle.current().pid());

    /** Called by the JDK. */
    public Numbers() {}

    @Override
    protected void engineSetSeed(byte[] seed) {
      // It has one.
    }

    @Override
    protected synchronized void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int length) {
      byte[] seed = new byte[length];
      engineNextBytes(seed);
      return seed;
    }
  }
}
