package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Phase;
import io.jvmtools.code.NativeAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something that has happened before the JVM was ready.
 *
 * @param kind what it was
 * @param phase how far the JVM had come
 * @param after how long after the recording began
 * @param className the class, as {@link Class#getName()} writes it: that of a class file, unless
 *     who defined it has not said its name; the one that was loaded or prepared; the one of a
 *     method
 * @param fileSize how many bytes the class file has
 * @param threadName the name of the thread that has begun, if the JVM could tell it
 * @param methodName the native method that was bound
 * @param methodSignature its descriptor
 * @param address where its code is
 */
public record EarlyEvent(
    EarlyEventKind kind,
    Phase phase,
    Duration after,
    Optional<String> className,
    OptionalInt fileSize,
    Optional<String> threadName,
    Optional<String> methodName,
    Optional<String> methodSignature,
    Optional<NativeAddress> address) {

  /**
   * Refuses a {@code null}.
   *
   * @param kind what it was
   * @param phase how far the JVM had come
   * @param after how long after the recording began
   * @param className the class
   * @param fileSize how many bytes the class file has
   * @param threadName the name of the thread
   * @param methodName the native method
   * @param methodSignature its descriptor
   * @param address where its code is
   */
  public EarlyEvent {
    requireNonNull(kind, "kind");
    requireNonNull(phase, "phase");
    requireNonNull(after, "after");
    requireNonNull(className, "className");
    requireNonNull(fileSize, "fileSize");
    requireNonNull(threadName, "threadName");
    requireNonNull(methodName, "methodName");
    requireNonNull(methodSignature, "methodSignature");
    requireNonNull(address, "address");
  }

  /**
   * What there is of it.
   *
   * @return for example {@code "NATIVE_METHOD_BIND java.lang.Object.hashCode()I at 0x7f2c01"}
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind.name());
    className.ifPresent(name -> text.append(' ').append(name));
    methodName.ifPresent(name -> text.append('.').append(name));
    methodSignature.ifPresent(text::append);
    fileSize.ifPresent(size -> text.append(", ").append(size).append(" bytes"));
    threadName.ifPresent(name -> text.append(" \"").append(name).append('"'));
    address.ifPresent(where -> text.append(" at ").append(where));
    return text.toString();
  }
}
