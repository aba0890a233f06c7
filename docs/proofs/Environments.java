/** Opens so many environments with a capability, and a tag, a tenth at a time; then disposes of them so. */
public class Environments {

  static native void open(long[] all, int from, int count, Object tagged, double[] micros);

  static native double dispose(long[] all, int from, int count);

  public static void main(String[] args) {
    System.load(args[0]);
    int count = Integer.parseInt(args[1]);
    Object tagged = args.length > 2 ? new Object() : null;
    long[] all = new long[count];
    double[] micros = new double[3];
    System.out.println("microseconds each:  opening  capability      tag");
    for (int from = 0; from < count; from += count / 10) {
      open(all, from, count / 10, tagged, micros);
      System.out.printf("%,10d more      %8.1f    %8.1f %8.1f%n", from, micros[0], micros[1], micros[2]);
    }
    System.out.println("microseconds each: disposing");
    for (int from = 0; from < count; from += count / 10) {
      System.out.printf("%,10d gone     %10.1f%n", from, dispose(all, from, count / 10));
    }
  }
}
