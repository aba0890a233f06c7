package io.jvmtools.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of the README says from where the library is called in tests, and on which JDKs. */
class ConsumersTableTest {

  @Test
  void theReadmeHasIt() throws IOException {
    List<String> rows = table();
    assertThat(rows)
        .allSatisfy(row -> assertThat(ConsumerTest.ROOT.resolve(link(row))).isRegularFile());
    String table = String.join("\n", rows);
    String readme = Files.readString(ConsumerTest.ROOT.resolve("README.md"));
    assertThat(readme)
        .as("the README's table of languages and containers has to be%n%s%n", table)
        .contains("|---|---|---|---|\n" + table + "\n\n");
  }

  private static String link(String row) {
    return row.replaceFirst(".*]\\((.*)\\) \\|.*", "$1");
  }

  private static List<String> table() throws IOException {
    List<Jdk> all = Jdk.all().toList();
    List<String> rows = new ArrayList<>();
    rows.add(row("Maven", "the dependency above", "tests/consumers/maven/pom.xml", all));
    rows.add(row("Gradle", "the dependency above", "tests/consumers/gradle/build.gradle", all));
    for (Language language : Language.values()) {
      List<Jdk> jdks = all.stream().filter(jdk -> language.skippedOn(jdk).isEmpty()).toList();
      rows.add(row(language.title(), language.how(), language.source(), jdks));
    }
    String felix = "OSGi, Felix " + Language.version("felix");
    String osgi = "tests/consumers/osgi/Activator.java";
    rows.add(row(felix, "the jar is a bundle: import its packages", osgi, all));
    rows.add(row(felix, "the slim jar, with the natives jar as its fragment", osgi, all));
    rows.add(row(felix, "embedded: `Bundle-ClassPath: .,jvmtools.jar`", osgi, all));
    String tomcat = "Tomcat " + Language.version("tomcat");
    String test = "tests/tomcat/java/io/jvmtools/tomcat/TomcatTest.java";
    rows.add(row(tomcat, "in `WEB-INF/lib`", test, all));
    return rows;
  }

  private static String row(String from, String how, String source, List<Jdk> jdks) {
    String name = source.substring(source.lastIndexOf('/') + 1);
    String features =
        jdks.stream().map(jdk -> String.valueOf(jdk.feature())).collect(Collectors.joining(", "));
    return String.format("| %s | %s | [`%s`](%s) | %s |", from, how, name, source, features);
  }
}
