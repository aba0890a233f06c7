package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_METHODID;
import static io.jvmtools.functions.errors.ErrorNames.NATIVE_METHOD;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.unavailable;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.Methods;
import io.jvmtools.functions.Unloaded;
import io.jvmtools.internal.code.MethodNatives;
import java.lang.reflect.Executable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/** Methods. */
final class MethodErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        gone(
            "GetMethodName",
            (methods, method) -> methods.signature(method),
            MethodNatives::getMethodName),
        gone(
            "GetMethodDeclaringClass",
            (methods, method) -> methods.declaringClass(method),
            MethodNatives::getMethodDeclaringClass),
        gone(
            "GetMethodModifiers",
            (methods, method) -> methods.modifiers(method),
            MethodNatives::getMethodModifiers),
        gone(
            "GetMaxLocals",
            (methods, method) -> methods.maxLocals(method),
            MethodNatives::getMaxLocals),
        gone(
            "GetArgumentsSize",
            (methods, method) -> methods.argumentsSize(method),
            MethodNatives::getArgumentsSize),
        gone(
            "GetLineNumberTable",
            (methods, method) -> methods.lineNumbers(method),
            MethodNatives::getLineNumberTable),
        gone(
            "GetMethodLocation",
            (methods, method) -> methods.codeRange(method),
            MethodNatives::getMethodLocation),
        gone(
            "GetBytecodes",
            (methods, method) -> methods.bytecodes(method),
            MethodNatives::getBytecodes),
        gone(
            "IsMethodNative",
            (methods, method) -> methods.isNative(method),
            MethodNatives::isMethodNative),
        gone(
            "IsMethodSynthetic",
            (methods, method) -> methods.isSynthetic(method),
            MethodNatives::isMethodSynthetic),
        gone(
            "IsMethodObsolete",
            (methods, method) -> methods.isObsolete(method),
            MethodNatives::isMethodObsolete),
        ofNative("GetMaxLocals", (methods, method) -> boxed(methods.maxLocals(method))),
        ofNative("GetArgumentsSize", (methods, method) -> boxed(methods.argumentsSize(method))),
        ofNative("GetLineNumberTable", Methods::lineNumbers),
        ofNative("GetMethodLocation", Methods::codeRange),
        ofNative("GetBytecodes", Methods::bytecodes),
        answeredAsEmpty(
            "GetLineNumberTable",
            ABSENT_INFORMATION,
            "an abstract method",
            jvmti -> jvmti.methods().lineNumbers(ofAbstract())),
        withoutCapability("GetLineNumberTable", jvmti -> jvmti.methods().lineNumbers(ofNative())),
        withoutCapability("GetBytecodes", jvmti -> jvmti.methods().bytecodes(ofNative())),
        withoutCapability("IsMethodSynthetic", jvmti -> jvmti.methods().isSynthetic(ofNative())),
        withoutCapability("SetNativeMethodPrefix", jvmti -> jvmti.methods().setNativePrefix("a")),
        withoutCapability(
            "SetNativeMethodPrefixes", jvmti -> jvmti.methods().setNativePrefixes("a")),
        nullRefused(
            "SetNativeMethodPrefixes",
            NULL_POINTER,
            "prefixes",
            jvmti -> jvmti.methods().setNativePrefixes((String[]) null)));
  }

  @Override
  public List<Impossible> impossible() {
    return Impossible.both(
        Impossible.impossible(
            ABSENT_INFORMATION,
            "HotSpot knows where the code of each method is.",
            "GetMethodLocation"),
        Impossible.impossible(
            ILLEGAL_ARGUMENT,
            "The library counts, and never less than none.",
            "SetNativeMethodPrefixes"));
  }

  /** A native of a method, with its class and its id. */
  private interface Native {
    Object ask(long env, Class<?> type, long id);
  }

  private interface Question {
    Optional<?> ask(Methods methods, JvmMethod method);
  }

  /** The native gets a class, but not that of the method. */
  private static Provocation gone(
      String function, BiConsumer<Methods, JvmMethod> call, Native direct) {
    return unavailable(
            function,
            INVALID_METHODID,
            jvmti -> call.accept(jvmti.methods(), Unloaded.one().method()))
        .directly(
            new DirectAnswer(
                INVALID_METHODID, env -> direct.ask(env, Object.class, Unloaded.one().methodId())));
  }

  private static Provocation ofNative(String function, Question question) {
    return answeredAsEmpty(
        function,
        NATIVE_METHOD,
        "a native method",
        jvmti -> question.ask(jvmti.methods(), ofNative()));
  }

  private static Optional<Integer> boxed(OptionalInt number) {
    return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
  }

  private static JvmMethod ofNative() {
    return of(() -> Object.class.getMethod("hashCode"));
  }

  private static JvmMethod ofAbstract() {
    return of(() -> Runnable.class.getMethod("run"));
  }

  private static JvmMethod of(Callable<Executable> method) {
    try {
      return JvmMethod.of(method.call());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
