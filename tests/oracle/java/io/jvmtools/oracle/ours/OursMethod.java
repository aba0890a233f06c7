package io.jvmtools.oracle.ours;

import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.CodeRange;
import io.jvmtools.code.DeclaredVariable;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.oracle.asked.MethodFunctions;
import io.jvmtools.oracle.asked.Names;
import java.lang.reflect.Executable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The stem {@code method} through the public API. */
interface OursMethod extends MethodFunctions, OurEnvironment {

  private static JvmMethod of(Object method) {
    return JvmMethod.of((Executable) method);
  }

  @Override
  default String getMethodName(Object method) {
    return jvmti().methods().signature(of(method)).toString();
  }

  @Override
  default String getMethodDeclaringClass(Object method) {
    return Names.of(jvmti().methods().declaringClass(of(method)));
  }

  @Override
  default String getMethodModifiers(Object method) {
    return String.valueOf(jvmti().methods().modifiers(of(method)));
  }

  @Override
  default String getMaxLocals(Object method) {
    return number(jvmti().methods().maxLocals(of(method)));
  }

  @Override
  default String getArgumentsSize(Object method) {
    return number(jvmti().methods().argumentsSize(of(method)));
  }

  @Override
  default String getLineNumberTable(Object method) {
    return jvmti()
        .methods()
        .lineNumbers(of(method))
        .map(
            lines ->
                lines.stream()
                    .map(line -> line.location() + ":" + line.line())
                    .collect(Collectors.joining(",")))
        .orElse(of(method).isNative() ? "NATIVE_METHOD" : "ABSENT_INFORMATION");
  }

  @Override
  default String getMethodLocation(Object method) {
    Optional<CodeRange> range = jvmti().methods().codeRange(of(method));
    return range
        .map(code -> code.start() + ".." + code.end())
        .orElse(of(method).isNative() ? "NATIVE_METHOD" : "-1..-1");
  }

  @Override
  default String getBytecodes(Object method) {
    Optional<Bytecodes> codes = jvmti().methods().bytecodes(of(method));
    return codes
        .map(Bytecodes::toByteArray)
        .map(OursMethod::list)
        .orElse(of(method).isNative() ? "NATIVE_METHOD" : "");
  }

  @Override
  default String isMethodNative(Object method) {
    return String.valueOf(jvmti().methods().isNative(of(method)));
  }

  @Override
  default String isMethodSynthetic(Object method) {
    return String.valueOf(jvmti().methods().isSynthetic(of(method)));
  }

  @Override
  default String isMethodObsolete(Object method) {
    return String.valueOf(jvmti().methods().isObsolete(of(method)));
  }

  private static String number(OptionalInt slots) {
    return slots.isPresent() ? String.valueOf(slots.getAsInt()) : "NATIVE_METHOD";
  }

  private static String list(byte[] codes) {
    return IntStream.range(0, codes.length)
        .mapToObj(i -> String.valueOf(codes[i] & 0xff))
        .collect(Collectors.joining(","));
  }

  /** Of the method of a frame. */
  @Override
  default String getLocalVariableTable(Thread thread, int outer) {
    JvmMethod method = jvmti().frames().at(thread, outer).method();
    return jvmti()
        .locals()
        .table(method)
        .map(OursMethod::text)
        .orElse(method.isNative() ? "NATIVE_METHOD" : "ABSENT_INFORMATION");
  }

  private static String text(List<DeclaredVariable> table) {
    return table.stream()
        .map(
            one ->
                "%s %s %s slot %d from %d to %d"
                    .formatted(
                        one.name(),
                        one.signature(),
                        one.generic().orElse("-"),
                        one.slot(),
                        one.start(),
                        one.end()))
        .collect(Collectors.joining(","));
  }

  @Override
  default String setNativeMethodPrefix(String prefix) {
    jvmti().methods().setNativePrefix(prefix);
    return "NONE";
  }

  @Override
  default String setNativeMethodPrefixes(String... prefixes) {
    jvmti().methods().setNativePrefixes(prefixes);
    return "NONE";
  }
}
