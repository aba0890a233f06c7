import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;

/**
 * With popping.c: a method that reflection calls is popped, or one whose class is redefined; one that
 * is linking or throwing returns, or one that is popped already.
 */
public class Popping {

  static native int leave(Thread thread, Object value);

  static native int twice(Thread thread);

  static native int redefined(Thread thread, Class<?> changed, byte[] file);

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

  /** Calls nothing. */
  public static class Turning {
    static volatile int turned;

    public int victim(int given) {
      int result = given;
      for (int i = 0; i < 3_000; i++) {
        result = result * 31 & 0xffff;
        turned = result;
      }
      return result;
    }
  }

  /** Short, so that its caller is compiled. */
  public static class Short {
    int last;

    public int victim(int given) {
      int next = given;
      next++;
      last = next;
      return next;
    }
  }

  static void shortCalls() {
    Short object = new Short();
    int next = 0;
    while (true) {
      next = object.victim(next);
    }
  }

  static Object outer(Turning turning) {
    int result = 0;
    for (int i = 0; i < 50; i++) {
      result = turning.victim(result);
    }
    return "outer" + result;
  }

  static Object victim(Object[] none) {
    return none[3];
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
    byte[] file = file("Popping$Linking.class");
    while (true) {
      Class<?> copy = new Copies().define(file);
      try {
        ((UnaryOperator<String>) copy.getConstructor().newInstance()).apply("x");
      } catch (LinkageError | ClassCastException wrong) {
        System.out.println(wrong);
      }
    }
  }

  static byte[] file(String name) throws IOException {
    try (InputStream in = Popping.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  static void turning() {
    Turning turning = new Turning();
    while (true) {
      if (outer(turning).hashCode() == 0) {
        throw new AssertionError();
      }
    }
  }

  static void throwing() {
    while (true) {
      try {
        victim(new Object[1]);
      } catch (ArrayIndexOutOfBoundsException e) {
        if (e.getMessage() == null) {
          System.out.println("an exception that has not been constructed: " + e);
        }
      }
    }
  }

  static void call(String what) {
    try {
      switch (what) {
        case "reflected" -> reflected();
        case "linking" -> linking();
        case "throwing" -> throwing();
        case "redefined" -> shortCalls();
        default -> turning();
      }
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    String what = args[2];
    byte[] file = file("Popping$Short.class");
    Thread calls = new Thread(() -> call(what));
    calls.setDaemon(true);
    calls.start();
    int left = 0;
    while (System.nanoTime() < end) {
      left +=
          switch (what) {
            case "twice" -> twice(calls);
            case "redefined" -> redefined(calls, Short.class, file);
            case "reflected" -> leave(calls, null);
            default -> leave(calls, "left");
          };
      Thread.sleep(0, 100_000);
    }
    System.out.println("still here, left " + left);
    System.exit(0);
  }
}
