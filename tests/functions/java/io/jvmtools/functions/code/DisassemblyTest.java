package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.Instruction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people read of bytecodes, compared with what {@code javap} prints. */
class DisassemblyTest {

  private static final Pattern BYTECODE = Pattern.compile(" +(\\d+): (\\w+) *(.*)");

  @ParameterizedTest
  @ValueSource(
      classes = {
        String.class,
        java.math.BigInteger.class,
        java.util.Formatter.class,
        java.util.regex.Pattern.class,
        Character.UnicodeBlock.class,
        java.util.concurrent.ConcurrentHashMap.class,
        Unusual.class
      })
  void eachMethodReadsLikeJavapPrintsIt(Class<?> type) {
    Optional<ToolProvider> javap = ToolProvider.findFirst("javap");
    assumeTrue(javap.isPresent(), "this Java runtime has no javap");
    // Links it.
    assertThat(type.getDeclaredMethods()).isNotEmpty();
    List<List<String>> ours =
        JvmTools.getClassMethods(type).stream()
            .flatMap(method -> JvmTools.getBytecodes(method).stream())
            .map(codes -> codes.instructions().stream().map(DisassemblyTest::line).toList())
            .toList();
    assertThat(ours)
        .containsExactlyInAnyOrderElementsOf(methods(printed(javap.orElseThrow(), type)));
  }

  @Test
  void itIsPrintedLineByLine() throws NoSuchMethodException {
    Bytecodes codes =
        JvmTools.getBytecodes(
                io.jvmtools.code.JvmMethod.of(Object.class.getMethod("equals", Object.class)))
            .orElseThrow();
    assertThat(codes.length()).isEqualTo(codes.toByteArray().length);
    assertThat(codes).hasToString(codes.disassemble());
    assertThat(codes.toString().lines())
        .startsWith("   0: aload_0", "   1: aload_1", "   2: if_acmpne 9")
        .hasSameSizeAs(codes.instructions());
    assertThat(codes).isNotEqualTo(null).isNotEqualTo(codes.toString());
  }

  private static String line(Instruction instruction) {
    return (instruction.location() + " " + instruction.mnemonic() + " " + instruction.operands())
        .strip();
  }

  private static String printed(ToolProvider javap, Class<?> type) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        javap.run(
            new PrintWriter(out),
            new PrintWriter(err),
            "-c",
            "-p",
            "-classpath",
            System.getProperty("java.class.path"),
            type.getName());
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  /** The bytecodes of each method, in lines of one form. */
  private static List<List<String>> methods(String text) {
    List<List<String>> methods = new ArrayList<>();
    List<String> method = new ArrayList<>();
    Iterator<String> lines = text.lines().iterator();
    while (lines.hasNext()) {
      String line = lines.next();
      Matcher bytecode = BYTECODE.matcher(line);
      if (line.strip().equals("Code:")) {
        method = new ArrayList<>();
        methods.add(method);
      } else if (bytecode.matches()) {
        String operands = bytecode.group(3);
        boolean cases = operands.startsWith("{");
        String all = cases ? cases(lines) : operands.replaceAll("\\s*//.*", "");
        String one = bytecode.group(1) + " " + bytecode.group(2) + " " + all;
        method.add(one.replaceAll("\\s+", " ").strip());
      }
    }
    return methods;
  }

  private static String cases(Iterator<String> lines) {
    List<String> cases = new ArrayList<>();
    for (String line = lines.next().strip(); !line.equals("}"); line = lines.next().strip()) {
      cases.add(line);
    }
    return "{ " + String.join(", ", cases) + " }";
  }

  /** Bytecodes that are hardly ever used. */
  @SuppressWarnings("unused") // Read, not run.
  private static final class Unusual {

    static long wide(int a, long b, String... names) {
      long l00 = a, l01 = b, l02 = 2, l03 = 3, l04 = 4, l05 = 5, l06 = 6, l07 = 7, l08 = 8;
      Object[][][] deep = new Object[a][a][];
      int[] numbers = {1, 2, 3};
      short[] shorts = new short[a];
      int count = 0;
      count += 1_000;
      count -= 3;
      switch (count) {
        case Integer.MIN_VALUE -> l00 = 1;
        case 0, Integer.MAX_VALUE -> l00 = 2;
        default -> l00 = -32_000;
      }
      switch (a) {
        case -1, 0, 1 -> l01++;
        default -> l02++;
      }
      Runnable dynamic = () -> System.out.println(names.length);
      List<Object> list = new ArrayList<>();
      list.add(dynamic);
      synchronized (list) {
        return l00 + l01 + l02 + l03 + l04 + l05 + l06 + l07 + l08 + deep.length + numbers[0];
      }
    }
  }
}
