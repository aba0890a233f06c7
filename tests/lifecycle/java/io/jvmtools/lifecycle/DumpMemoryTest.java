package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a dump needs of the memory that is not Java's it gives back. */
@OneJdkADay
class DumpMemoryTest {

  private static final int THREADS = 500;
  private static final int WARM_UP = 2;
  private static final int PHASES = 5;
  private static final int DUMPS_A_PHASE = 200;

  /** A byte for each thread in each dump. */
  private static final long MOST_KB = (long) THREADS * DUMPS_A_PHASE / 1024;

  @ParameterizedTest
  @EnumSource
  void thousandsOfDumpsNeedNoMoreThanAsManyReadingsOfAllStacks(WayIn way) {
    ChildResult result =
        way.of(Dumps.class)
            .withoutJniChecks()
            // All there from the start, so that only what is not Java's grows.
            .jvmArgs("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
            // The better compiler takes and gives back megabytes at any time.
            .jvmArgs("-XX:TieredStopAtLevel=1")
            .run()
            .succeeds();
    long dumps = Long.parseLong(result.line("dumps "));
    long stacks = Long.parseLong(result.line("stacks "));
    assertThat(dumps).as("KB, and %d by the control", stacks).isLessThan(stacks + MOST_KB);
  }

  static final class Dumps {

    public static void main(String[] args) throws IOException, JMException {
      for (int i = 0; i < THREADS; i++) {
        Parked.inPark();
      }
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        Runnable dump = () -> jvmti.dumps().take();
        Runnable stacks = () -> jvmti.frames().allStackTraces();
        List<Long> ofDumps = new ArrayList<>();
        List<Long> ofStacks = new ArrayList<>();
        for (int phase = 0; phase < WARM_UP + PHASES; phase++) {
          ofDumps.add(growth(dump));
          ofStacks.add(growth(stacks));
        }
        System.out.println("dumps " + median(ofDumps.subList(WARM_UP, WARM_UP + PHASES)));
        System.out.println("stacks " + median(ofStacks.subList(WARM_UP, WARM_UP + PHASES)));
      }
    }

    /** Now and then the JVM itself takes or gives back megabytes. */
    private static long median(List<Long> growths) {
      return growths.stream().sorted().toList().get(PHASES / 2);
    }

    private static long growth(Runnable body) throws IOException, JMException {
      long before = residentKb();
      for (int i = 0; i < DUMPS_A_PHASE; i++) {
        body.run();
      }
      return residentKb() - before;
    }

    private static long residentKb() throws IOException, JMException {
      System.gc();
      giveFreeMemoryBack();
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("RssAnon:")) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      throw new IOException("no RssAnon");
    }

    /** Otherwise what is lost hides for long in what others have left. */
    private static void giveFreeMemoryBack() throws JMException {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              new Object[0],
              new String[0]);
    }
  }
}
