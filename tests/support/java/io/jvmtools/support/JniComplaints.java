package io.jvmtools.support;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code -Xcheck:jni} prints about a misuse of JNI, and what the JVM prints when it crashes.
 */
public final class JniComplaints {

  private static final Pattern COMPLAINT =
      Pattern.compile(
          "WARNING in native method|WARNING: JNI|exceeds capacity|FATAL ERROR in native method"
              + "|JNI call made|A fatal error has been detected by the Java Runtime");

  private JniComplaints() {}

  /** The lines that complain. */
  public static List<String> in(List<String> lines) {
    return lines.stream().filter(line -> COMPLAINT.matcher(line).find()).toList();
  }
}
