/** With freed.c: listens to freed objects and stops, while another thread has garbage collected. */
public class Freed {

  static native int listen(boolean on);

  static native int tag(Object object);

  public static void main(String[] args) {
    Thread collects =
        new Thread(
            () -> {
              while (true) {
                System.gc();
              }
            });
    collects.setDaemon(true);
    collects.start();
    int rounds = Integer.parseInt(args[0]);
    for (int round = 0; round < rounds; round++) {
      listen(true);
      for (int i = 0; i < 1_000; i++) {
        tag(new byte[16]);
      }
      listen(false);
      if (round % 10 == 0) {
        System.out.println("round " + round);
      }
    }
    System.out.println("ended");
  }
}
