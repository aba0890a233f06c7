package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.CodeRange;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.code.ParsedClass.ParsedField;
import io.jvmtools.functions.code.ParsedClass.ParsedMethod;
import io.jvmtools.support.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All classes of {@code java.base} are what their class files say, read without the library. */
class ClassFileTest {

  /** What java.base has at least. */
  private static final int FEWEST_CLASSES = 5_000;

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void membersAreThoseOfTheClassFile() {
    String compared = ChildJvm.of(Program.class).run().succeeds().line("compared ");
    System.out.println("class files: " + compared);
    int classes = Integer.parseInt(compared.replaceAll("\\D*(\\d+) classes.*", "$1"));
    assertThat(classes).isGreaterThan(FEWEST_CLASSES);
  }

  /** What the child runs: the JVM of the tests shall not have to load all that. */
  static final class Program {

    /** What both the JVM and a class file know of the flags of a method. */
    private static final int METHOD_FLAGS = 0x1dff;

    /** Fields that the JVM fills itself, and hides from tools on some JDKs. */
    private static final Set<String> HIDDEN = Set.of("backtrace", "constantPoolOop");

    private final Module base = Object.class.getModule();
    private int classes;
    private int methods;
    private int constants;
    private int unlinkable;

    private Program() {}

    public static void main(String[] args) throws IOException {
      Program program = new Program();
      Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
      try (Stream<Path> files = Files.walk(root)) {
        files
            .map(file -> root.relativize(file).toString())
            .filter(name -> name.endsWith(".class") && !name.equals("module-info.class"))
            .filter(name -> !isMadeAnew(name))
            .sorted()
            .forEach(program::compare);
      }
      System.out.printf(
          "compared %d classes with %d methods and %d constants, %d that cannot be linked%n",
          program.classes, program.methods, program.constants, program.unlinkable);
    }

    /**
     * Those that an archive of classes has with other methods than the module, and those to which
     * the JVM's flight recorder adds some, whether it records or not.
     */
    private static boolean isMadeAnew(String name) {
      return name.startsWith("java/lang/invoke/") && name.endsWith("$Holder.class")
          || name.startsWith("jdk/internal/event/");
    }

    private void compare(String name) {
      byte[] bytes;
      Class<?> type;
      try (InputStream file = base.getResourceAsStream(name)) {
        bytes = file.readAllBytes();
        type = Class.forName(base, name.replaceAll("\\.class$", "").replace('/', '.'));
        // Links it.
        type.getDeclaredMethods();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (LinkageError missing) {
        unlinkable++;
        return;
      }
      ParsedClass parsed = new ParsedClass(bytes);
      compareMethods(type, parsed);
      compareFields(type, parsed);
      compareConstants(type, bytes);
      classes++;
    }

    /** Behind them stand those of methods that the JVM makes itself, to throw an error. */
    private void compareConstants(Class<?> type, byte[] file) {
      ConstantPool pool = JvmTools.getConstantPool(type).orElseThrow();
      List<String> expected = ParsedConstants.of(file);
      List<String> told =
          pool.constants().stream()
              .limit(expected.size())
              .map(constant -> constant.index() + " " + constant)
              .toList();
      assertThat(told).as("constants of %s", type).isEqualTo(expected);
      constants += told.size();
    }

    private void compareMethods(Class<?> type, ParsedClass parsed) {
      Map<String, ParsedMethod> expected =
          parsed.methods().stream()
              .collect(Collectors.toMap(ParsedMethod::key, Function.identity()));
      for (JvmMethod method : JvmTools.getClassMethods(type)) {
        String key = method.name() + method.signature();
        ParsedMethod file = expected.remove(key);
        assertThat(file).as("%s.%s", type, key).isNotNull();
        compare(method, file);
        methods++;
      }
      assertThat(expected).as("methods of %s that are missing", type).isEmpty();
    }

    private static void compare(JvmMethod method, ParsedMethod file) {
      String about = method.toString();
      assertThat(method.modifiers() & METHOD_FLAGS)
          .as(about)
          .isEqualTo(file.access() & METHOD_FLAGS);
      assertThat(method.genericSignature()).as(about).isEqualTo(file.generic());
      Optional<byte[]> codes = JvmTools.getBytecodes(method).map(Bytecodes::toByteArray);
      assertThat(codes.isPresent()).as(about).isEqualTo(file.code().isPresent());
      if (codes.isEmpty()) {
        return;
      }
      assertThat(codes.orElseThrow()).as(about).isEqualTo(file.code().orElseThrow());
      assertThat(JvmTools.getMaxLocals(method)).as(about).hasValue(file.maxLocals());
      assertThat(JvmTools.getLineNumberTable(method).orElse(List.of()))
          .as(about)
          .isEqualTo(file.lines());
      assertThat(JvmTools.getMethodLocation(method))
          .as(about)
          .hasValue(new CodeRange(0, codes.orElseThrow().length - 1));
    }

    private static void compareFields(Class<?> type, ParsedClass parsed) {
      Predicate<ParsedField> told = field -> !HIDDEN.contains(field.name());
      assertThat(JvmTools.getClassFields(type).stream().map(Program::parsed).filter(told))
          .as("fields of %s", type)
          .containsExactlyElementsOf(parsed.fields().stream().filter(told).toList());
    }

    private static ParsedField parsed(JvmField field) {
      return new ParsedField(
          field.modifiers(), field.name(), field.signature(), field.genericSignature());
    }
  }
}
