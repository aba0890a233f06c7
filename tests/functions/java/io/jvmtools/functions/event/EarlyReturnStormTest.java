package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_GENERATE_SINGLE_STEP_EVENTS;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.functions.event.EarlyReturns.entry;
import static io.jvmtools.functions.event.EarlyReturns.inTheMiddle;
import static io.jvmtools.functions.event.EarlyReturns.open;
import static io.jvmtools.functions.event.EarlyReturns.returns;

import io.jvmtools.Jvmti;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.OneJdkADay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads whose methods return early again and again, while much else goes on. */
@OneJdkADay
@DisabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "it starts JVMs of its own")
class EarlyReturnStormTest {

  @ParameterizedTest
  @CsvSource({
    "-XX:+UseSerialGC, objects",
    "-XX:+UseZGC, objects",
    "-Xint, objects",
    "-XX:+UseG1GC, steps",
  })
  void eachCallGetsWhatIsItsOwn(String option, String what) {
    ChildJvm.of(Program.class)
        .agent("prepare=debugging")
        .jvmArgs("-Xmx256m", option)
        .args(what)
        .run()
        .succeeds()
        .out()
        .contains("all as it should be");
  }

  /** What the child runs. */
  static final class Program {

    private static final int TIMES = 100;

    private static final AtomicBoolean DONE = new AtomicBoolean();

    /** While there are steps no object is returned, nor {@code null} in the middle of a method. */
    private static boolean hasSteps;

    private Program() {}

    public static void main(String[] args) throws Exception {
      hasSteps = args[0].equals("steps");
      try (Jvmti jvmti = open(CAN_SUSPEND, CAN_REDEFINE_CLASSES, CAN_GENERATE_SINGLE_STEP_EVENTS);
          PlaceSubscription price = jvmti.events().at(entry("price"), returns(-1));
          PlaceSubscription locked = jvmti.events().at(entry("locked"), returns(-2));
          PlaceSubscription name = jvmti.events().at(entry("name"), object(() -> "early"));
          PlaceSubscription numbers =
              jvmti.events().at(entry("numbers"), object(() -> new int[] {-3}));
          PlaceSubscription basket =
              jvmti.events().at(basket(), object(() -> new String("made")))) {
        List<FutureTask<Object>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          callers.add(begin("caller " + i, Program::call));
        }
        FutureTask<Object> virtual = new FutureTask<>(() -> call());
        if (Runtime.version().feature() >= 21) {
          VirtualThreads.start("virtual", virtual);
          callers.add(virtual);
        }
        List<FutureTask<Object>> others =
            List.of(
                begin("listens", () -> listen(jvmti)),
                begin("redefines", () -> redefine(jvmti)),
                begin("collects", Program::collect),
                begin("suspends", () -> suspend(jvmti)));
        try {
          for (FutureTask<Object> one : callers) {
            one.get();
          }
        } finally {
          DONE.set(true);
        }
        for (FutureTask<Object> one : others) {
          one.get();
        }
        for (PlaceSubscription one : List.of(price, locked, name, numbers, basket)) {
          require(one.counts().failed() == 0, "failed " + one.counts());
          require(one.counts().lost() == 0, "lost " + one.counts());
          require(one.counts().delivered() >= 3 * TIMES, "told of each " + one.counts());
        }
      }
      System.out.println("all as it should be");
    }

    private static CodePlace basket() {
      return hasSteps ? entry("basket") : inTheMiddle("basket");
    }

    private static Consumer<EventFrame> object(Supplier<Object> value) {
      return frame -> frame.returnEarly(hasSteps ? null : value.get());
    }

    private static FutureTask<Object> begin(String name, Call call) {
      FutureTask<Object> task =
          new FutureTask<>(
              () -> {
                call.run();
                return name;
              });
      new Thread(task, name).start();
      return task;
    }

    private interface Call {
      void run() throws Exception;
    }

    private static Object call() {
      Shop shop = new Shop();
      for (int i = 0; i < TIMES; i++) {
        require(shop.price() == -1, "price");
        require(shop.locked() == -2, "locked");
        String name = shop.name();
        require(hasSteps ? name == null : name.equals("early"), "name");
        int[] numbers = shop.numbers();
        require(hasSteps ? numbers == null : numbers[0] == -3, "numbers");
        require(shop.sold == (hasSteps ? 0 : i) && !Thread.holdsLock(shop), "left");
        String basket = shop.basket();
        require(hasSteps ? basket == null : basket.equals("made"), "basket");
      }
      return shop;
    }

    /** At the same places, and at bytecodes of another method. */
    private static void listen(Jvmti jvmti) {
      AtomicInteger told = new AtomicInteger();
      Shop shop = new Shop();
      while (!DONE.get()) {
        try (PlaceSubscription one =
            jvmti.events().at(entry("price"), frame -> told.incrementAndGet())) {
          require(shop.price() == -1, "price of who listens");
          require(one.counts().failed() == 0, "failed " + one.counts());
        }
        if (hasSteps) {
          step(jvmti, shop);
        }
      }
      require(told.get() > 0, "told");
    }

    private static void step(Jvmti jvmti, Shop shop) {
      try (Subscription steps =
          jvmti
              .events()
              .on(
                  EventTypes.SINGLE_STEP,
                  EventFilter.ANY.threads(Thread.currentThread()).classes(Shop.class.getName()),
                  event -> {
                    if (event.method().name().equals("sell") && event.location() == 2) {
                      jvmti.events().frame().returnEarly();
                    }
                  })) {
        shop.sell();
        require(shop.sold == 0, "sold of who listens");
        require(steps.counts().failed() == 0, "failed " + steps.counts());
      }
    }

    private static void redefine(Jvmti jvmti) {
      while (!DONE.get()) {
        jvmti.classes().redefine(Relay.class, ClassFiles.of(Relay.class));
      }
    }

    private static void collect() {
      while (!DONE.get()) {
        System.gc();
      }
    }

    /** Its deadline is no concern here, however busy the machine is. */
    private static void suspend(Jvmti jvmti) {
      while (!DONE.get()) {
        jvmti.threads().withOthersSuspended(Duration.ofMinutes(1), () -> DONE.get());
      }
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new AssertionError(what);
      }
    }
  }
}
