package io.jvmtools.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class ClassFileOutlineTest {

  /** A class with one of each. */
  @SuppressWarnings("unused") // Read from its class file.
  private static final class Sample extends Number implements Callable<String> {
    private static final long serialVersionUID = 1L;
    private transient int number;

    @Override
    public String call() {
      return "";
    }

    @Override
    public int intValue() {
      return number;
    }

    @Override
    public long longValue() {
      return number;
    }

    @Override
    public float floatValue() {
      return number;
    }

    @Override
    public double doubleValue() {
      return number;
    }
  }

  @Test
  void membersAndParentsAreThoseOfTheClassFile() throws IOException {
    ClassFileOutline outline = ClassFileOutline.of(file()).orElseThrow();
    assertThat(outline.name()).isEqualTo(Sample.class.getName().replace('.', '/'));
    assertThat(outline.superName()).isEqualTo("java/lang/Number");
    assertThat(outline.interfaces()).containsExactly("java/util/concurrent/Callable");
    assertThat(outline.fields()).containsOnlyKeys("serialVersionUID J", "number I");
    assertThat(outline.fields()).containsEntry("number I", 0x82);
    assertThat(outline.methods())
        .containsKeys("call()Ljava/lang/String;", "call()Ljava/lang/Object;", "intValue()I")
        .containsEntry("intValue()I", 1);
    assertThat(outline.version()).isEqualTo(new ClassVersion(61, 0));
  }

  @Test
  void whatIsCutOffIsNoClassFile() throws IOException {
    byte[] file = file();
    int longest = 0;
    for (int length = 0; length < file.length; length++) {
      // What stands behind the methods is not looked at.
      longest = ClassFileOutline.of(Arrays.copyOf(file, length)).isEmpty() ? length : longest;
    }
    assertThat(longest).isGreaterThan(file.length / 2);
    file[0] = 0;
    assertThat(ClassFileOutline.of(file)).isEmpty();
  }

  private static byte[] file() throws IOException {
    try (InputStream in = Sample.class.getResourceAsStream("ClassFileOutlineTest$Sample.class")) {
      return in.readAllBytes();
    }
  }
}
