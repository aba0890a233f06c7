package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * An object that threads lock or wait for, as a {@link ThreadDump} remembers it: by its class and
 * its identity hash code. It keeps the object alive no more than its class.
 *
 * @param className the name of its class, as {@link Class#getName()} has it
 * @param identityHash its {@link System#identityHashCode(Object)}; the management interface of the
 *     JDK names locks by the same number
 * @param mirrored if the object is a {@link Class}, the name of the class it stands for
 */
public record DumpedLock(String className, int identityHash, Optional<String> mirrored) {

  /**
   * Refuses {@code null} components.
   *
   * @param className the name of its class
   * @param identityHash its identity hash code
   * @param mirrored the name of the class it stands for
   */
  public DumpedLock {
    requireNonNull(className, "className");
    requireNonNull(mirrored, "mirrored");
  }

  /** Calls no method of the object that its class could have written. */
  static DumpedLock of(Object object) {
    Optional<String> mirrored =
        object instanceof Class<?> type ? Optional.of(type.getName()) : Optional.empty();
    return new DumpedLock(object.getClass().getName(), System.identityHashCode(object), mirrored);
  }

  // What a record gets by itself would keep our class loader before JDK 19 (JDK-8078641).
  @Override
  public boolean equals(Object other) {
    return other instanceof DumpedLock that
        && identityHash == that.identityHash
        && className.equals(that.className)
        && mirrored.equals(that.mirrored);
  }

  @Override
  public int hashCode() {
    return identityHash;
  }

  /** The same of objects that differ in nothing but their identity. */
  String ofSeveral() {
    return "<several>" + type();
  }

  /**
   * The object as the JVM's own dump writes it, with the identity hash code for the address.
   *
   * @return for example {@code "<0x1b6d3586> (a com.acme.Cart)"}
   */
  @Override
  public String toString() {
    return "<0x" + String.format("%08x", identityHash) + ">" + type();
  }

  private String type() {
    return " (a " + className + mirrored.map(name -> " for " + name).orElse("") + ")";
  }
}
