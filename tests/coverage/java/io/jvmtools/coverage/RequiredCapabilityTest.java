package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Sources;
import io.jvmtools.support.Spec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Where a function requires a capability, every method that is that function says which one. */
class RequiredCapabilityTest {

  /** A public method as it is written. */
  private record Member(Path file, List<String> functions, String doc, String code) {

    String differs(Set<String> named) {
      return "%s requires %s (spec/functions.tsv), and %s names %s"
          .formatted(functions, required(), file.getFileName(), named);
    }

    Set<String> required() {
      Set<String> required = new TreeSet<>();
      Spec.rows("functions").stream()
          .filter(row -> functions.contains(row.get("name")))
          .map(row -> row.get("requires").toUpperCase(Locale.ROOT).split(","))
          .forEach(names -> required.addAll(List.of(names)));
      required.remove("");
      return required;
    }
  }

  @Test
  void theStaticDoorSaysWhatItAddsAndAddsIt() {
    List<Member> members = members();
    members.removeIf(member -> !member.file().endsWith("JvmTools.java"));
    assertThat(members).isNotEmpty();
    List<String> wrong = new ArrayList<>();
    for (Member member : members) {
      for (String text : List.of(member.doc(), member.code())) {
        if (!capabilities(text).equals(member.required())) {
          wrong.add(member.differs(capabilities(text)));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyMethodOfAnEnvironmentSaysWhatItNeeds() {
    List<Member> members = members();
    members.removeIf(member -> member.file().endsWith("JvmTools.java"));
    assertThat(members).isNotEmpty();
    assertThat(members)
        .filteredOn(member -> !capabilities(member.doc()).containsAll(member.required()))
        .extracting(member -> member.differs(capabilities(member.doc())))
        .isEmpty();
  }

  private static List<Member> members() {
    Pattern annotation = Pattern.compile("@JvmtiFunction\\(\\{?([\\w\",\\s]+)}?\\)");
    List<Member> members = new ArrayList<>();
    for (Path file : Sources.under("java/api/src/main/java/io/jvmtools", ".java")) {
      for (String member : Sources.text(file).split("(?m)^  }$")) {
        Matcher function = annotation.matcher(member);
        if (function.find()) {
          String doc = member.substring(0, function.start());
          List<String> functions = List.of(function.group(1).replaceAll("[\"\\s]", "").split(","));
          members.add(new Member(file, functions, doc, member.substring(function.end())));
        }
      }
    }
    return members;
  }

  /** Those that a text names; who suspends borrows the one that only one can hold. */
  private static Set<String> capabilities(String text) {
    Set<String> named = new TreeSet<>();
    Matcher name = Pattern.compile("Capability[#.](CAN_\\w+)").matcher(text);
    while (name.find()) {
      named.add(name.group(1));
    }
    if (text.contains("SuspendingCalls.")) {
      named.add("CAN_SUSPEND");
    }
    return named;
  }
}
