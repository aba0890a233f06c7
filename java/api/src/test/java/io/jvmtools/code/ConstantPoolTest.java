package io.jvmtools.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ConstantPoolTest {

  private static final int BEHIND_THE_VERSION = 8;

  /** No class of a program has these constants. */
  @Test
  void modulesAndPackagesAreNamed() throws IOException {
    byte[] file;
    try (InputStream in = Object.class.getResourceAsStream("/module-info.class")) {
      file = in.readAllBytes();
    }
    ConstantPool pool = ConstantPool.of(Arrays.copyOfRange(file, BEHIND_THE_VERSION, file.length));
    assertThat(pool.constants())
        .extracting(Object::toString)
        .contains("MODULE java.base", "PACKAGE java/lang", "Class module-info");
    assertThat(pool.toByteArray()).hasSizeLessThan(file.length);
    assertThat(ConstantPool.of(pool.toByteArray())).isEqualTo(pool).hasSameHashCodeAs(pool);
  }

  @Test
  void whatIsNoConstantPoolIsRefused() {
    byte[] unknown = {0, 2, 99};
    assertThatIllegalArgumentException().isThrownBy(() -> ConstantPool.of(unknown));
    byte[] tooShort = {0, 2, 1, 0, 5, 'a'};
    assertThatThrownBy(() -> ConstantPool.of(tooShort))
        .isInstanceOf(BufferUnderflowException.class);
    byte[] classWithoutName = {0, 2, 7, 0, 1};
    ConstantPool pool = ConstantPool.of(classWithoutName);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.at(1))
        .withMessageContaining("#1 has the tag 7");
  }
}
