package io.jvmtools.objects;

import static java.util.Objects.requireNonNull;

/**
 * An object and the tag that an environment put on it.
 *
 * @param object the object itself; this record keeps it alive
 * @param tag its tag, never 0
 */
public record TaggedObject(Object object, long tag) {

  /**
   * Refuses a {@code null} object.
   *
   * @param object the object itself
   * @param tag its tag
   */
  public TaggedObject {
    requireNonNull(object, "object");
  }

  /**
   * The class and the identity of the object, and its tag. Calls no method of the object.
   *
   * @return for example {@code "com.acme.Order@1b6d3586 tagged 42"}
   */
  @Override
  public String toString() {
    String identity = Integer.toHexString(System.identityHashCode(object));
    return object.getClass().getName() + "@" + identity + " tagged " + tag;
  }
}
