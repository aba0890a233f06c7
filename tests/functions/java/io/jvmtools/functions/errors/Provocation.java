package io.jvmtools.functions.errors;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.internal.SpecFacts;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A call that makes a function answer one of its errors: the library throws it, or refuses the call
 * before the JVM is asked, or answers it as empty.
 *
 * @param function the function
 * @param error the name of the error without the prefix
 * @param how what is wrong with the call
 * @param where in which JVMs it can be made
 * @param call the call, on an environment that holds {@link #capabilities()}
 * @param refusal what the library throws in place of the JVM's error; empty if the JVM is asked
 * @param direct what the JVM says when it is asked in spite of that
 */
public record Provocation(
    String function,
    String error,
    String how,
    Where where,
    Call call,
    Optional<Refusal> refusal,
    Optional<DirectAnswer> direct) {

  /** A use of the public methods. */
  @FunctionalInterface
  public interface Call {
    /** Makes the call. */
    void on(Jvmti jvmti) throws Exception;
  }

  /** A use of a public method that answers the error as empty. */
  @FunctionalInterface
  public interface Query extends Call {
    /** Asks. */
    Optional<?> ask(Jvmti jvmti) throws Exception;

    @Override
    default void on(Jvmti jvmti) throws Exception {
      ask(jvmti);
    }
  }

  /**
   * An answer of the library's own.
   *
   * @param type the exception
   * @param message what its message begins with
   */
  public record Refusal(Class<? extends Exception> type, String message) {}

  /** The JVM answers the error. */
  static Provocation provoke(String function, String error, String how, Call call) {
    return new Provocation(
        function, error, how, Where.works(function), call, Optional.empty(), Optional.empty());
  }

  /** The JVM answers the error, which says something about a right call: the library, empty. */
  static Provocation answeredAsEmpty(String function, String error, String how, Query query) {
    return provoke(function, error, how, query);
  }

  /** The JVM answers that the environment does not hold what the function requires. */
  static Provocation withoutCapability(String function, Call call) {
    return new Provocation(
        function,
        ErrorNames.MUST_POSSESS_CAPABILITY,
        "an environment without capabilities",
        Where.exists(function),
        call,
        Optional.empty(),
        Optional.empty());
  }

  /** The library refuses a null by the name of its parameter; the JVM would answer the error. */
  static Provocation nullRefused(
      String function, String error, String parameter, Call call, DirectAnswer direct) {
    return nullRefused(function, error, parameter, call).directly(direct);
  }

  /** The library refuses a null that no native could pass on to the JVM. */
  static Provocation nullRefused(String function, String error, String parameter, Call call) {
    return refused(function, error, "null", NullPointerException.class, parameter, call);
  }

  /** The library refuses a number; the JVM would answer the error. */
  static Provocation numberRefused(
      String function, String error, String how, String message, Call call, DirectAnswer direct) {
    return numberRefused(function, error, how, message, call).directly(direct);
  }

  /** The library refuses a number that no native could pass on to the JVM. */
  static Provocation numberRefused(
      String function, String error, String how, String message, Call call) {
    return refused(function, error, how, IllegalArgumentException.class, message, call);
  }

  /** The library knows that the class of a method or field has been unloaded. */
  static Provocation unavailable(String function, String error, Call call) {
    return refused(
        function,
        error,
        "a class that has been unloaded",
        MemberUnavailableException.class,
        function,
        call);
  }

  /** The library knows what is closed; the JVM would look at what it has freed. */
  static Provocation closed(String function, String error, String message, Call call) {
    String how = "what is closed";
    return refused(function, error, how, IllegalStateException.class, message, call);
  }

  Provocation from(int feature) {
    return new Provocation(function, error, how, where.from(feature), call, refusal, direct);
  }

  Provocation until(int feature) {
    return new Provocation(function, error, how, where.until(feature), call, refusal, direct);
  }

  /** Says also what the JVM answers a native. */
  Provocation directly(DirectAnswer answer) {
    return new Provocation(function, error, how, where, call, refusal, Optional.of(answer));
  }

  /** Whether the library answers it as empty. */
  public boolean isAnsweredAsEmpty() {
    return call instanceof Query;
  }

  /** What the environment holds that the call is made on. */
  Set<Capability> capabilities() {
    Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
    if (!error.equals(ErrorNames.MUST_POSSESS_CAPABILITY)) {
      capabilities.addAll(SpecFacts.requiredCapabilities(function));
    }
    return capabilities;
  }

  /** For the name of a test. */
  @Override
  public String toString() {
    return function + " " + error + ": " + how;
  }

  private static Provocation refused(
      String function,
      String error,
      String how,
      Class<? extends Exception> type,
      String message,
      Call call) {
    return new Provocation(
        function,
        error,
        how,
        Where.works(function),
        call,
        Optional.of(new Refusal(type, message)),
        Optional.empty());
  }
}
