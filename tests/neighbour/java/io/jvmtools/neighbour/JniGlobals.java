package io.jvmtools.neighbour;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** How many global references native code holds. The JVM says so under its own thread dumps. */
final class JniGlobals {

  private static final Pattern COUNTS =
      Pattern.compile("JNI global refs: (\\d+), weak refs: (\\d+)");

  private JniGlobals() {}

  /** Strong and weak ones, without those that stay only until garbage is collected. */
  static long count() {
    System.gc();
    Matcher counts = COUNTS.matcher(threadPrint());
    if (!counts.find()) {
      throw new IllegalStateException("This JVM does not count its global references");
    }
    return Long.parseLong(counts.group(1)) + Long.parseLong(counts.group(2));
  }

  private static String threadPrint() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
