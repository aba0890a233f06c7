package io.jvmtools.coverage;

import io.jvmtools.support.Sources;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Javadoc of one public method, read from the source: its first sentence, and what its block
 * tags say, by tag and name.
 *
 * @param signature the method's name with the simple types of its parameters, as {@code @see} has
 *     it
 * @param summary the first sentence
 * @param tags {@code param thread}, {@code return}, {@code throws StalledException}, {@code see …}
 */
record JavadocOf(String signature, String summary, Map<String, String> tags) {

  private static final Pattern SENTENCE = Pattern.compile("(.*?\\.)(?=\\s|$).*");

  private static final Pattern METHOD =
      Pattern.compile(
          "  /\\*\\*\\n((?: {3}\\*.*\\n)+?) {3}\\*/\\n(?: {2}@.*\\n)* {2}public ([^{;=]*?\\))",
          Pattern.MULTILINE);

  private static final Pattern TAG =
      Pattern.compile("@(return|(?:param|throws) \\S+|see \\S+?\\([^)]*\\))");

  /** The public methods of a source file that have a Javadoc, by signature. */
  static Map<String, JavadocOf> methodsOf(Path source) {
    Map<String, JavadocOf> methods = new TreeMap<>();
    METHOD
        .matcher(Sources.text(source))
        .results()
        .map(JavadocOf::of)
        .forEach(method -> methods.put(method.signature, method));
    return Collections.unmodifiableMap(methods);
  }

  private static JavadocOf of(MatchResult method) {
    String text =
        method
            .group(1)
            .lines()
            .map(line -> line.strip().replaceFirst("^\\*\\s*", ""))
            .collect(Collectors.joining(" "));
    Map<String, String> tags = new LinkedHashMap<>();
    String[] said = TAG.split(text);
    int next = 1;
    for (MatchResult tag : TAG.matcher(text).results().toList()) {
      tags.put(tag.group(1), next < said.length ? said[next].strip() : "");
      next++;
    }
    return new JavadocOf(
        signature(method.group(2)), SENTENCE.matcher(said[0].strip()).replaceFirst("$1"), tags);
  }

  private static String signature(String declaration) {
    String plain = declaration.replaceAll("\\s+", " ").replace("( ", "(");
    // One in another is the inner one first.
    while (plain.contains("<")) {
      plain = plain.replaceAll("<[^<>]*>", "");
    }
    int open = plain.indexOf('(');
    String name = plain.substring(plain.lastIndexOf(' ', open) + 1, open);
    String parameters = plain.substring(open + 1, plain.length() - 1);
    return name
        + Arrays.stream(parameters.split(", "))
            .map(parameter -> parameter.replaceFirst(" \\S+$", ""))
            .collect(Collectors.joining(", ", "(", ")"));
  }

  /** The twins that it leads to: {@code Threads#state(Thread)}. */
  Iterable<String> twins() {
    return tags.keySet().stream()
        .filter(tag -> tag.startsWith("see "))
        .map(tag -> tag.substring("see ".length()))
        .toList();
  }
}
