import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;

/** With popping.c: a method that reflection calls is popped, or one that is linking returns. */
public class Popping {

  static native int leave(Thread thread, Object value);

  /** Calls nothing but its argument. */
  public static class Reflected {
    public String victim(String text) {
      int sum = 0;
      for (int i = 0; i < 20_000; i++) {
        sum += text.length();
      }
      return sum > 3 ? text : "";
    }
  }

  /** Links its instructions anew in each copy. */
  public static class Linking implements UnaryOperator<String> {
    public String victim(String text) {
      return text + "q" + text.length();
    }

    @Override
    public String apply(String text) {
      return victim(text);
    }
  }

  static class Copies extends ClassLoader {
    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }

  static void reflected() throws ReflectiveOperationException {
    Method victim = Reflected.class.getMethod("victim", String.class);
    Reflected object = new Reflected();
    while (true) {
      victim.invoke(object, "x");
    }
  }

  @SuppressWarnings("unchecked")
  static void linking() throws IOException, ReflectiveOperationException {
    byte[] file;
    try (InputStream in = Popping.class.getResourceAsStream("Popping$Linking.class")) {
      file = in.readAllBytes();
    }
    while (true) {
      Class<?> copy = new Copies().define(file);
      try {
        ((UnaryOperator<String>) copy.getConstructor().newInstance()).apply("x");
      } catch (LinkageError | ClassCastException wrong) {
        System.out.println(wrong);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    boolean pops = args[2].equals("reflected");
    Thread calls =
        new Thread(
            () -> {
              try {
                if (pops) {
                  reflected();
                } else {
                  linking();
                }
              } catch (IOException | ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            });
    calls.setDaemon(true);
    calls.start();
    int left = 0;
    while (System.nanoTime() < end) {
      left += leave(calls, pops ? null : "left");
    }
    System.out.println("still here, left " + left);
    System.exit(0);
  }
}
