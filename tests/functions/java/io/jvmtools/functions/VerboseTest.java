package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.VerboseFlag;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SetVerboseFlag in children, because the reports go to the standard output of the whole JVM. */
@Tag(UnderTheAgentTest.ONCE)
class VerboseTest {

  @Test
  void garbageCollectionsAreReportedUntilTheFlagIsOff() {
    ChildResult child = ChildJvm.of(Collecting.class).jvmArgs("-XX:+UseSerialGC").run().succeeds();
    assertThat(between(child, "start", "on")).noneMatch(VerboseTest::isAboutGc);
    assertThat(between(child, "on", "off")).anyMatch(VerboseTest::isAboutGc);
    assertThat(between(child, "off", "end")).noneMatch(VerboseTest::isAboutGc);
  }

  @Test
  void loadedClassesAreReportedUntilTheFlagIsOff() {
    ChildResult child = ChildJvm.of(Loading.class).run().succeeds();
    assertThat(between(child, "start", "on")).noneMatch(line -> line.contains("First"));
    assertThat(between(child, "on", "off")).anyMatch(line -> line.contains("Second"));
    assertThat(between(child, "off", "end")).noneMatch(line -> line.contains("Third"));
  }

  @Test
  void everyFlagIsAccepted() {
    ChildResult child = ChildJvm.of(Everything.class).run().succeeds();
    child.out().contains("end");
  }

  private static boolean isAboutGc(String line) {
    return line.contains("Pause Full");
  }

  private static List<String> between(ChildResult child, String from, String to) {
    List<String> lines = child.outLines();
    child.out().contains(from, to);
    return lines.subList(lines.indexOf(from), lines.indexOf(to));
  }

  static final class Collecting {
    public static void main(String[] args) {
      Child.say("start");
      System.gc();
      JvmTools.enableVerbose(VerboseFlag.GC);
      Child.say("on");
      System.gc();
      JvmTools.disableVerbose(VerboseFlag.GC);
      Child.say("off");
      System.gc();
      Child.say("end");
    }
  }

  static final class Loading {
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        Child.say("start");
        new First();
        jvmti.enableVerbose(VerboseFlag.CLASS);
        Child.say("on");
        new Second();
        jvmti.disableVerbose(VerboseFlag.CLASS);
        Child.say("off");
        new Third();
        Child.say("end");
      }
    }

    private static final class First {}

    private static final class Second {}

    private static final class Third {}
  }

  static final class Everything {
    public static void main(String[] args) {
      for (VerboseFlag flag : VerboseFlag.values()) {
        JvmTools.enableVerbose(flag);
        JvmTools.disableVerbose(flag);
      }
      Child.say("end");
    }
  }
}
