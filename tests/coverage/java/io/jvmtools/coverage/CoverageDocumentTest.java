package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Sources;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageDocumentTest {

  @Test
  void theDocumentIsWhatTheRegistriesSay() {
    List<String> written = Sources.lines(CoverageDocument.file());
    List<String> generated = CoverageDocument.generate().lines().toList();
    for (int i = 0; i < Math.max(written.size(), generated.size()); i++) {
      assertThat(line(written, i))
          .as("docs/coverage.md, line %d; write it by ./dev coverage", i + 1)
          .isEqualTo(line(generated, i));
    }
  }

  private static String line(List<String> lines, int index) {
    return index < lines.size() ? lines.get(index) : "(no line)";
  }
}
