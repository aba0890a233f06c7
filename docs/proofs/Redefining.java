import java.io.InputStream;

/** With redefining.c: one thread redefines a class by its own file, another sets and clears a breakpoint in it. */
public class Redefining {

  static class Victim {
    int next(int number) {
      return number + 1;
    }
  }

  static native int set(Class<?> victim);

  static native int clear(Class<?> victim);

  static native int redefine(Class<?> victim, byte[] file);

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    byte[] file;
    try (InputStream in = Redefining.class.getResourceAsStream("Redefining$Victim.class")) {
      file = in.readAllBytes();
    }
    new Victim().next(1);
    Thread redefines =
        new Thread(
            () -> {
              while (System.nanoTime() < end) {
                redefine(Victim.class, file);
              }
            });
    redefines.start();
    int rounds = 0;
    for (; System.nanoTime() < end; rounds++) {
      set(Victim.class);
      clear(Victim.class);
    }
    redefines.join();
    System.out.println("still here after " + rounds + " breakpoints");
  }
}
