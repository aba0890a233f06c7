package io.jvmtools.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class TaggedObjectTest {

  @Test
  void aTaggedObjectPrintsWithoutAskingTheObject() {
    Object hostile =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException();
          }
        };

    assertThat(new TaggedObject(hostile, 42).toString()).endsWith(" tagged 42");
    assertThatNullPointerException()
        .isThrownBy(() -> new TaggedObject(null, 1))
        .withMessage("object");
  }
}
