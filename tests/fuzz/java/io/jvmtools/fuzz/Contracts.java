package io.jvmtools.fuzz;

import io.jvmtools.JvmtiException;
import io.jvmtools.support.Sources;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What each method may throw: what its Javadoc says in the sources, and what {@code package-info}
 * says for all of them.
 */
public final class Contracts {

  private static final String SOURCES = "java/api/src/main/java";
  private static final Pattern MEMBER =
      Pattern.compile(
          "(?:@\\w+(?:\\((?:[^()\"]|\"[^\"]*\")*\\))?\\s+)*"
              + "public [^(){};=/]*?(?<name>\\w+)\\((?<parameters>[^{};]*?)\\)"
              + "[^(){};]*\\{");
  private static final Pattern LINE_COMMENT = Pattern.compile("(?m) // .*$");
  private static final Pattern THROWS = Pattern.compile("@throws\\s+(\\w+)");

  private final Map<String, Contract> contracts = new HashMap<>();

  /** Reads the sources. */
  public Contracts() {
    for (Path file : Sources.under(SOURCES, ".java")) {
      String text = LINE_COMMENT.matcher(Sources.text(file)).replaceAll("");
      Matcher member = MEMBER.matcher(text);
      String owner = file.getFileName().toString().replace(".java", "");
      while (member.find()) {
        List<String> parameters = split(member.group("parameters"));
        Set<String> thrown = new HashSet<>();
        THROWS
            .matcher(commentBefore(text, member.start()))
            .results()
            .forEach(documented -> thrown.add(documented.group(1)));
        String key =
            key(owner, member.group("name"), parameters.stream().map(Contracts::typeOf).toList());
        contracts.put(
            key,
            new Contract(
                thrown,
                Set.copyOf(parameters.stream().map(Contracts::nameOf).toList()),
                IntStream.range(0, parameters.size())
                    .filter(i -> parameters.get(i).contains("@Nullable"))
                    .boxed()
                    .collect(Collectors.toSet())));
      }
    }
  }

  /** Why a method must not have thrown this, or null if it may. */
  public String objection(Target target, Throwable thrown, Draw draw) {
    if (thrown instanceof Hostile) {
      return target.takesObjects() ? null : "comes from a thread that is none of its arguments";
    }
    if (draw.isPolluted()
        && (thrown instanceof ClassCastException || thrown instanceof ArrayStoreException)) {
      return null;
    }
    if (thrown instanceof OutOfMemoryError) {
      return draw.isHuge() || of(target.executable()).allows(thrown.getClass())
          ? null
          : "memory has run out, and nothing huge was asked for";
    }
    Contract contract = of(target.executable());
    if (contract.allows(thrown.getClass())) {
      return null;
    }
    String message = String.valueOf(thrown.getMessage());
    if (thrown instanceof NullPointerException) {
      // One in a list is named by its place, one in a map by its key.
      String parameter = message.replaceFirst("\\[.+]$", "");
      return contract.parameters.contains(parameter) ? null : "names no parameter";
    }
    if (thrown.getClass() == IllegalArgumentException.class) {
      return thrown.getMessage() == null ? "says nothing" : null;
    }
    if (thrown.getClass() == IllegalStateException.class) {
      return message.contains("this environment is closed") ? null : "is not documented";
    }
    return thrown instanceof JvmtiException
        ? "is a refusal of the JVM that the method does not document"
        : "is not documented";
  }

  /** Why a method must not have returned, or null if it may: it has to refuse null. */
  String objection(Target target, Object[] arguments) {
    Contract contract = of(target.executable());
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] == null
          && !contract.nullable.contains(i)
          && !target.executable().getName().equals("equals")) {
        return "took null for parameter " + i;
      }
    }
    return null;
  }

  private Contract of(Executable executable) {
    Class<?> file = executable.getDeclaringClass();
    while (file.getEnclosingClass() != null) {
      file = file.getEnclosingClass();
    }
    String name =
        executable instanceof Constructor<?>
            ? executable.getDeclaringClass().getSimpleName()
            : executable.getName();
    List<String> types =
        Arrays.stream(executable.getParameterTypes()).map(Class::getSimpleName).toList();
    Contract contract = contracts.get(key(file.getSimpleName(), name, types));
    if (contract != null) {
      return contract;
    }
    // Of a record: what is not written is the compiler's, with the names of the components.
    Class<?> owner = executable.getDeclaringClass();
    Set<String> components =
        owner.isRecord()
            ? Arrays.stream(owner.getRecordComponents())
                .map(component -> component.getName())
                .collect(Collectors.toSet())
            : Set.of();
    return new Contract(Set.of(), components, Set.of());
  }

  private static String key(String owner, String name, List<String> types) {
    return owner + "." + name + types;
  }

  /** The Javadoc that ends where a member begins. */
  private static String commentBefore(String text, int member) {
    String before = text.substring(0, member).stripTrailing();
    return before.endsWith("*/") ? before.substring(before.lastIndexOf("/**")) : "";
  }

  /** Splits at the commas that are not inside of type arguments. */
  private static List<String> split(String parameters) {
    String flat = parameters.replaceAll("\\s+", " ");
    String before;
    do {
      before = flat;
      flat = flat.replaceAll("<[^<>]*>", "");
    } while (!before.equals(flat));
    return Arrays.stream(flat.split(",")).map(String::strip).filter(p -> !p.isEmpty()).toList();
  }

  private static String typeOf(String parameter) {
    String type = parameter.substring(0, parameter.lastIndexOf(' ')).replaceAll("@\\w+", "");
    return type.replace("final ", "")
        .replace(" ", "")
        .replace("...", "[]")
        .replaceAll("\\w+\\.", "");
  }

  private static String nameOf(String parameter) {
    return parameter.substring(parameter.lastIndexOf(' ') + 1);
  }

  private record Contract(Set<String> thrown, Set<String> parameters, Set<Integer> nullable) {

    boolean allows(Class<?> type) {
      Class<?> each = type;
      // "What the JVM refuses" is any JvmtiException only where a method says so itself.
      while (each != null && each != RuntimeException.class) {
        if (thrown.contains(each.getSimpleName())) {
          return true;
        }
        each = each.getSuperclass();
      }
      return false;
    }
  }
}
