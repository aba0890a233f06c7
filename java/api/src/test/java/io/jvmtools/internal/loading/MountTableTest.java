package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountTableTest {

  @TempDir Path dir;

  @Test
  void theDeepestMountDecidesAndTheLastOfTwo() throws Exception {
    Path real = dir.toRealPath();
    Path inner = Files.createDirectory(real.resolve("with space"));
    String root = "none / ext4 rw,relatime 0 0";
    String outer = "none " + real + " tmpfs rw,noexec,nosuid 0 0";
    String escaped = "none " + inner.toString().replace(" ", "\\040") + " tmpfs rw 0 0";

    assertThat(MountTable.parse(List.of(root)).isNoexec(inner)).isFalse();
    assertThat(MountTable.parse(List.of(outer, root)).isNoexec(inner)).isTrue();
    assertThat(MountTable.parse(List.of(root, outer, escaped)).isNoexec(inner)).isFalse();
    assertThat(MountTable.parse(List.of(root, outer, escaped)).isNoexec(real)).isTrue();
    assertThat(MountTable.parse(List.of(outer, "none " + real + " tmpfs rw 0 0")).isNoexec(real))
        .isFalse();
  }

  @Test
  void aFolderOfTheSameBeginningIsAnother() throws Exception {
    Path real = dir.toRealPath();
    Path longer = Files.createDirectory(real.resolve("abc"));

    String line = "none " + real.resolve("ab") + " tmpfs noexec 0 0";
    assertThat(MountTable.parse(List.of(line)).isNoexec(longer)).isFalse();
  }

  @Test
  void linesThatSayNothingArePassedOver() {
    assertThat(MountTable.parse(List.of("", "one two", "a b c")).mounts()).isEmpty();
  }
}
