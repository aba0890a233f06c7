package io.jvmtools.oracle.events;

import static io.jvmtools.event.EventTypes.NATIVE_METHOD_BIND;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** NativeMethodBind: a native method is bound to what a listener answers. */
class NativeAnswerTest {

  @Test
  void aNativeMethodRunsTheCodeOfAnotherOne() {
    ChildJvm.of(Program.class)
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .jvmArgs("-ea")
        .run()
        .succeeds()
        .out()
        .contains("seven and seven");
  }

  /** What the child runs. */
  static final class Program {

    private static final EventFilter OURS = EventFilter.ANY.classes(ActedNative.class);

    private Program() {}

    public static void main(String[] args) {
      List<NativeAddress> bound = new ArrayList<>();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_NATIVE_METHOD_BIND_EVENTS);
          Subscription first =
              jvmti.events().answer(NATIVE_METHOD_BIND, OURS, event -> bound.stream().findFirst());
          Subscription second =
              jvmti.events().on(NATIVE_METHOD_BIND, OURS, event -> bound.add(event.address()))) {
        int seven = ActedNative.seven();
        assert seven == 7 : seven;
        int version = ActedNative.version();
        assert version == 7 : version;
        assert bound.size() == 2 : bound;
        assert bound.get(0).equals(bound.get(1)) : "the second one was shown " + bound;
        assert VmRecorder.symbol(bound.get(0).value()).endsWith("_seven") : bound;
        assert first.counts().failed() + second.counts().failed() == 0;
      }
      System.out.println("seven and seven");
    }
  }
}
