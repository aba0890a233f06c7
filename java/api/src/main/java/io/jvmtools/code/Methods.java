package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MemberNameFacts;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.Environment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Methods: their code, and what the JVM knows of them at this moment. A {@link JvmMethod} is found
 * by {@link JvmMethod#of}, by {@link Classes#methods}, or in a stack.
 */
public final class Methods {

  static {
    Makers.register(
        Methods.class,
        new Maker<Environment, Methods>() {
          @Override
          public Methods make(Environment environment) {
            return new Methods(environment);
          }
        });
  }

  private final Environment environment;

  Methods(Environment environment) {
    this.environment = environment;
  }

  /**
   * What a method is called, its descriptor and its generic signature. Needs no capability.
   *
   * @param method any method
   * @return the name and the signatures
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetMethodName")
  public MemberSignature signature(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetMethodName");
    Object facts = MethodNatives.getMethodName(environment.handle(), type, method.id());
    return environment.keep(MemberSignature.of((MemberNameFacts) facts));
  }

  /**
   * The class that declares a method. Needs no capability.
   *
   * @param method any method
   * @return the class
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetMethodDeclaringClass")
  public Class<?> declaringClass(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetMethodDeclaringClass");
    return environment.keep(
        MethodNatives.getMethodDeclaringClass(environment.handle(), type, method.id()));
  }

  /**
   * The access flags of a method. Needs no capability.
   *
   * @param method any method
   * @return the flags, which {@link java.lang.reflect.Modifier} explains
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetMethodModifiers")
  public int modifiers(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetMethodModifiers");
    return environment.keep(
        MethodNatives.getMethodModifiers(environment.handle(), type, method.id()));
  }

  /**
   * How many slots the local variables of a method take, its parameters and {@code this} among
   * them; a {@code long} or a {@code double} takes two. Needs no capability.
   *
   * @param method any method
   * @return their number; empty of a native method
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetMaxLocals")
  public OptionalInt maxLocals(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetMaxLocals");
    return number(
        environment.keep(MethodNatives.getMaxLocals(environment.handle(), type, method.id())));
  }

  /**
   * How many slots the parameters of a method take, {@code this} among them; a {@code long} or a
   * {@code double} takes two. Needs no capability.
   *
   * @param method any method
   * @return their number; empty of a native method
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetArgumentsSize")
  public OptionalInt argumentsSize(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetArgumentsSize");
    return number(
        environment.keep(MethodNatives.getArgumentsSize(environment.handle(), type, method.id())));
  }

  /**
   * Which lines of the source the bytecodes of a method come from. Needs {@link
   * Capability#CAN_GET_LINE_NUMBERS}.
   *
   * @param method any method
   * @return an unmodifiable list as the class file has it, neither sorted nor without repetition;
   *     empty of native and abstract methods, and where the class was compiled without lines
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   * @see JvmMethod#lineNumber
   */
  @JvmtiFunction("GetLineNumberTable")
  public Optional<List<LineNumber>> lineNumbers(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetLineNumberTable");
    int[] pairs = MethodNatives.getLineNumberTable(environment.handle(), type, method.id());
    return environment.keep(Optional.ofNullable(pairs).map(Methods::lines));
  }

  /**
   * Where the code of a method begins and ends. Needs no capability.
   *
   * @param method any method
   * @return the range; empty of native and abstract methods, which have no code
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetMethodLocation")
  public Optional<CodeRange> codeRange(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetMethodLocation");
    long[] range = MethodNatives.getMethodLocation(environment.handle(), type, method.id());
    return environment
        .keep(Optional.ofNullable(range))
        .filter(ends -> ends[0] >= 0)
        .map(ends -> new CodeRange(ends[0], ends[1]));
  }

  /**
   * The bytecodes of a method, as its class file has them, whatever the JVM has made of them since.
   * Needs {@link Capability#CAN_GET_BYTECODES}.
   *
   * @param method any method
   * @return the bytecodes; empty of native and abstract methods
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetBytecodes")
  public Optional<Bytecodes> bytecodes(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("GetBytecodes");
    byte[] codes = MethodNatives.getBytecodes(environment.handle(), type, method.id());
    return environment
        .keep(Optional.ofNullable(codes))
        .filter(bytes -> bytes.length > 0)
        .map(Bytecodes::new);
  }

  /**
   * Whether a method is native. Needs no capability.
   *
   * @param method any method
   * @return whether native code implements it
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsMethodNative")
  public boolean isNative(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("IsMethodNative");
    return environment.keep(MethodNatives.isMethodNative(environment.handle(), type, method.id()));
  }

  /**
   * Whether a method was made by the compiler and stands in no source, such as a bridge. Needs
   * {@link Capability#CAN_GET_SYNTHETIC_ATTRIBUTE}.
   *
   * @param method any method
   * @return whether it is synthetic
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsMethodSynthetic")
  public boolean isSynthetic(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("IsMethodSynthetic");
    return environment.keep(
        MethodNatives.isMethodSynthetic(environment.handle(), type, method.id()));
  }

  /**
   * Whether a method is an old version that a redefinition of its class has replaced, and only
   * there for those who still run it: a stack names such methods. One that was found by name is
   * never obsolete, for it stands for the newest version. Needs no capability.
   *
   * @param method any method
   * @return whether it is obsolete
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsMethodObsolete")
  public boolean isObsolete(JvmMethod method) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("IsMethodObsolete");
    return environment.keep(
        MethodNatives.isMethodObsolete(environment.handle(), type, method.id()));
  }

  /**
   * Lets native methods have a prefix before their names: one that nothing implements is linked to
   * what implements the rest of its name, if its class has a method of that name that is not
   * native. So a tool renames a native method {@code read} to {@code $$wrapped$$read} as its class
   * is loaded, and adds a method {@code read} that calls it. Needs {@link
   * Capability#CAN_SET_NATIVE_METHOD_PREFIX}.
   *
   * <p>It counts for all classes, for methods that are not linked yet, and until the environment is
   * closed; each environment has its own.
   *
   * @param prefix the prefix, which replaces those that were set before
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetNativeMethodPrefix")
  public void setNativePrefix(String prefix) {
    requireNonNull(prefix, "prefix");
    MethodNatives.setNativeMethodPrefix(environment.handle(), prefix);
    environment.keep();
  }

  /**
   * Takes back the prefixes of this environment. What was linked with one stays linked. Needs
   * {@link Capability#CAN_SET_NATIVE_METHOD_PREFIX}.
   *
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetNativeMethodPrefix")
  public void clearNativePrefixes() {
    MethodNatives.setNativeMethodPrefix(environment.handle(), null);
    environment.keep();
  }

  /**
   * Lets native methods have several prefixes before their names, as {@link #setNativePrefix} does
   * one: a tool that wraps what it has wrapped before. Needs {@link
   * Capability#CAN_SET_NATIVE_METHOD_PREFIX}.
   *
   * @param prefixes the prefixes, which replace those that were set before; the last one stands
   *     first in a name, and each may be missing
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetNativeMethodPrefixes")
  public void setNativePrefixes(String... prefixes) {
    String[] copy = requireNonNull(prefixes, "prefixes").clone();
    Lists.requireNoneNull(copy, "prefixes");
    MethodNatives.setNativeMethodPrefixes(environment.handle(), copy);
    environment.keep();
  }

  private static OptionalInt number(int slots) {
    return slots < 0 ? OptionalInt.empty() : OptionalInt.of(slots);
  }

  private static List<LineNumber> lines(int[] pairs) {
    List<LineNumber> lines = new ArrayList<>(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      lines.add(new LineNumber(pairs[i], pairs[i + 1]));
    }
    return Collections.unmodifiableList(lines);
  }
}
