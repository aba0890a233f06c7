package io.jvmtools.examples;

import io.jvmtools.Jvmti;
import java.lang.instrument.ClassFileTransformer;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.sql.SQLException;
import org.h2.mvstore.db.MVPrimaryIndex;
import org.jspecify.annotations.Nullable;

/**
 * A class of the database that is changed while others are in it, and changed back.
 *
 * @param type its name
 * @param before what the database says of a plan that the class describes
 * @param during what it says once the class is another one
 * @param after what it says when that is undone
 */
record OnTheFly(String type, String before, String during, String after) {

  private static final String WORD = ".tableScan";
  private static final String OTHER_WORD = ".allTheRows";

  static OnTheFly of(Jvmti jvmti, H2Workload h2) throws SQLException {
    Class<?> type = MVPrimaryIndex.class;
    String before = h2.plan();
    jvmti.classes().retransform(new Renaming(), type);
    String during = h2.plan();
    jvmti.classes().retransform(type);
    return new OnTheFly(type.getName(), before, during, h2.plan());
  }

  /** Says another word where the class file has a constant of that text. */
  private static final class Renaming implements ClassFileTransformer {
    @Override
    public byte[] transform(
        @Nullable ClassLoader loader,
        String name,
        Class<?> type,
        @Nullable ProtectionDomain domain,
        byte[] file) {
      // One character a byte: so what a class file has as text can be replaced as text.
      String bytes = new String(file, StandardCharsets.ISO_8859_1);
      return bytes
          .replace(constant(WORD), constant(OTHER_WORD))
          .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String constant(String text) {
      return "\u0001\u0000" + (char) text.length() + text;
    }
  }
}
