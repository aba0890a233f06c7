package io.jvmtools.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary directories from which nothing can be loaded, or to which nothing can be written. */
class HostileTempTest {

  /** Where no file system lets anybody create a directory, not even root. */
  private static final Path NOWHERE = Path.of("/proc/nowhere");

  private static final String CHOOSE = "-Djvmtools.extract.dir or JVMTOOLS_EXTRACT_DIR";

  @TempDir Path dir;

  @BeforeAll
  static void mayMount() throws Exception {
    Process probe = new ProcessBuilder("unshare", "-rm", "true").start();
    assumeTrue(probe.waitFor() == 0, "this machine lets nobody mount a file system of his own");
  }

  @Test
  void oneThatForbidsExecution() throws Exception {
    isPassedOver("noexec,mode=700");
    isExplained("noexec,mode=700", "does not allow to execute files (noexec)");
  }

  @Test
  void oneThatIsFull() throws Exception {
    isPassedOver("size=64k,mode=700");
    isExplained("size=64k,mode=700", "the file system is full: ");
  }

  @Test
  void oneThatIsReadOnly() throws Exception {
    isPassedOver("ro,mode=700");
    isExplained("ro,mode=700", "the file system is read-only");
  }

  private void isPassedOver(String options) throws Exception {
    Path next = dir.resolve("next");
    ChildResult result = mounted(options).jvmArgs("-Djava.io.tmpdir=" + next).run().succeeds();
    assertThat(result.line("used ")).startsWith("LIBRARY " + next);
  }

  private void isExplained(String options, String why) throws Exception {
    ChildResult result =
        mounted(options)
            .jvmArgs("-Djava.io.tmpdir=" + NOWHERE, "-Duser.home=" + NOWHERE)
            .run()
            .succeeds();
    result.out().noneMatch(line -> line.startsWith("used "));
    result
        .out()
        .anyMatch(
            line ->
                line.contains("extraction to " + dir.resolve("mount") + "/own: ")
                    && line.contains(why)
                    && line.contains(CHOOSE));
  }

  /** A child that is to extract to a file system with these options. */
  private ChildJvm mounted(String options) throws Exception {
    Path mount = Files.createDirectories(dir.resolve("mount"));
    String script = "mount -t tmpfs -o " + options + " none " + mount + " && exec \"$@\"";
    return ChildJvm.of(Use.class)
        .startedBy("unshare", "-rm", "sh", "-c", script, "sh")
        .environment("XDG_CACHE_HOME", null)
        .jvmArgs("-Djvmtools.extract.dir=" + mount.resolve("own"));
  }
}
