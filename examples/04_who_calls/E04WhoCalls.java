package io.jvmtools.examples;

import io.jvmtools.JvmTools;
import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.Constant;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.Instruction;
import io.jvmtools.code.JvmMethod;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the loaded classes call a method, as their bytecodes have it. */
public final class E04WhoCalls {

  private E04WhoCalls() {}

  /** A class and the name of a method, for example {@code java.lang.Thread sleep}. */
  public static void main(String... arguments) {
    String owner = arguments[0].replace('.', '/');
    JvmTools.getLoadedClasses().stream()
        .filter(type -> JvmTools.getClassStatus(type).isPrepared())
        .flatMap(type -> calls(type, owner, arguments[1]))
        .distinct()
        .sorted()
        .forEach(System.out::println);
  }

  private static Stream<String> calls(Class<?> type, String owner, String name) {
    Set<String> operands =
        constants(type)
            .filter(constant -> isMethod(constant, owner, name))
            .map(constant -> "#" + constant.index())
            .collect(Collectors.toSet());
    return operands.isEmpty()
        ? Stream.empty()
        : JvmTools.getClassMethods(type).stream().flatMap(method -> calls(method, operands));
  }

  private static Stream<String> calls(JvmMethod method, Set<String> operands) {
    return JvmTools.getBytecodes(method).map(Bytecodes::instructions).orElse(List.of()).stream()
        .filter(instruction -> calls(instruction, operands))
        .map(instruction -> method.toStackTraceElement(instruction.location()).toString());
  }

  private static boolean calls(Instruction instruction, Set<String> operands) {
    return instruction.mnemonic().startsWith("invoke")
        && operands.contains(instruction.operands().split(",")[0]);
  }

  private static Stream<Constant> constants(Class<?> type) {
    return JvmTools.getConstantPool(type).map(ConstantPool::constants).stream()
        .flatMap(List::stream);
  }

  private static boolean isMethod(Constant constant, String owner, String name) {
    return constant instanceof Constant.Member member
        && member.owner().equals(owner)
        && member.name().equals(name);
  }
}
