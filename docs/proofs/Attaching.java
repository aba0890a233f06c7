/** Of {@code attaching.c}. */
final class Attaching {

  private static final int THREADS = 300;

  private Attaching() {}

  private static native void sample();

  private static native boolean isWritten();

  public static void main(String[] args) {
    if (args[0].equals("sampled")) {
      sample();
    }
    int written = 0;
    for (int i = 0; i < THREADS; i++) {
      written += isWritten() ? 1 : 0;
    }
    System.out.println(written + " of " + THREADS);
  }
}
