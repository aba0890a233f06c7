package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_SINGLE_STEP_EVENTS;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.MadeThrowables;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.stack.LocalVariable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Breakpoints by name: when they become real, and what a listener sees and does there. */
@OnlyUnderTheAgent
class PlacesTest {

  private static final StackWalker WALKER = StackWalker.getInstance();

  private static final AtomicReference<StackTraceElement> MARK = new AtomicReference<>();

  private static Jvmti open(Capability... more) {
    List<Capability> all = new ArrayList<>(List.of(more));
    all.add(CAN_GENERATE_BREAKPOINT_EVENTS);
    all.add(CAN_ACCESS_LOCAL_VARIABLES);
    return Jvmti.open(all.toArray(new Capability[0]));
  }

  /** What is called says from which line it was. */
  private static int mark() {
    MARK.set(WALKER.walk(all -> all.skip(1).findFirst().orElseThrow()).toStackTraceElement());
    return 0;
  }

  private static int total(int price, int number) {
    int total = price * number;
    total += mark();
    return total;
  }

  private static CodePlace lineOfTheMark() {
    total(1, 1);
    return CodePlace.line(PlacesTest.class.getName(), MARK.get().getLineNumber());
  }

  @Test
  void whoComesToALineIsToldThereWithItsVariables() {
    CodePlace place = lineOfTheMark();
    List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    place,
                    frame -> {
                      seen.add(frame.thread());
                      seen.add(frame.stackTrace().get(0).toString());
                      seen.add(frame.local("price", int.class));
                      seen.add(frame.local("total", Integer.class));
                      seen.add(frame.locals(1).stream().map(LocalVariable::name).sorted().toList());
                      seen.add(frame.stackTrace().get(1).methodName());
                    })) {
      int asked = 5;
      assertThat(total(asked, 8)).isEqualTo(40);
      assertThat(here.breakpoints()).hasSize(1);
      assertThat(seen)
          .containsExactly(
              Thread.currentThread(),
              MARK.get().toString(),
              5,
              40,
              List.of("asked", "here", "jvmti", "place", "seen", "this"),
              "whoComesToALineIsToldThereWithItsVariables");
      assertThat(here.counts().failed()).isZero();
    }
  }

  @Test
  void aListenerGivesAVariableAnotherValue() {
    try (Jvmti jvmti = open()) {
      PlaceSubscription here =
          jvmti.events().at(lineOfTheMark(), frame -> frame.set("total", 1_000));
      assertThat(total(2, 3)).isEqualTo(1_000);
      here.close();
      assertThat(total(2, 3)).isEqualTo(6);
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }

  /** Loaded once more by each loader. */
  public static final class Later implements Runnable {

    @Override
    public void run() {
      Thread.onSpinWait();
    }
  }

  private static final class Loader extends ClassLoader {

    Loader() {
      super(PlacesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known == null && name.equals(Later.class.getName())) {
        byte[] file = ClassFiles.of(Later.class);
        return defineClass(name, file, 0, file.length);
      }
      return known != null ? known : super.loadClass(name, resolve);
    }
  }

  private static Runnable later() {
    try {
      Class<?> type = new Loader().loadClass(Later.class.getName());
      return (Runnable) type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aClassThatComesLaterHasItsPlaceFromTheBeginningInEachLoader() {
    List<Class<?>> seen = Collections.synchronizedList(new ArrayList<>());
    Runnable before = later();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    CodePlace.entry(Later.class.getName(), "run"),
                    frame -> seen.add(frame.local("this", Object.class).getClass()))) {
      Runnable first = later();
      Runnable second = later();
      before.run();
      first.run();
      second.run();
      first.run();
      assertThat(seen)
          .containsExactly(
              before.getClass(), first.getClass(), second.getClass(), first.getClass());
      assertThat(here.breakpoints()).hasSize(3);
    }
  }

  @Test
  void twoMayListenAtOnePlaceAndOneThatGoesTakesNothingFromTheOther() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    CodePlace place = lineOfTheMark();
    try (Jvmti jvmti = open()) {
      PlaceSubscription one = jvmti.events().at(place, frame -> first.incrementAndGet());
      PlaceSubscription other = jvmti.events().at(place, frame -> second.incrementAndGet());
      total(1, 1);
      one.close();
      total(1, 1);
      assertThat(first).hasValue(1);
      assertThat(second).hasValue(2);
      assertThat(jvmti.breakpoints().all()).hasSize(1);
      other.close();
      other.close();
      total(1, 1);
      assertThat(second).hasValue(2);
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }

  @Test
  void whoseBreakpointIsThereAlreadyKeepsIt() {
    CodePlace place = lineOfTheMark();
    AtomicInteger hits = new AtomicInteger();
    try (Jvmti jvmti = open()) {
      PlaceSubscription one = jvmti.events().at(place, frame -> {});
      List<Breakpoint> set = one.breakpoints();
      one.close();
      jvmti.breakpoints().set(set.get(0).method(), set.get(0).location());
      PlaceSubscription other = jvmti.events().at(place, frame -> hits.incrementAndGet());
      total(1, 1);
      other.close();
      assertThat(hits).hasValue(1);
      assertThat(jvmti.breakpoints().all()).isEqualTo(set);
    }
  }

  @Test
  void itMayBeClosedFromWithin() {
    AtomicReference<PlaceSubscription> here = new AtomicReference<>();
    AtomicInteger hits = new AtomicInteger();
    CodePlace place = lineOfTheMark();
    try (Jvmti jvmti = open()) {
      here.set(
          jvmti
              .events()
              .at(
                  place,
                  frame -> {
                    hits.incrementAndGet();
                    here.get().close();
                  }));
      total(1, 1);
      total(1, 1);
      assertThat(hits).hasValue(1);
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }

  private static class Refused extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Refused() {
      this("refused");
    }

    Refused(String message) {
      super(message);
    }
  }

  private static final class Sold extends Refused {
    private static final long serialVersionUID = 1;

    private final Refused inner;

    Sold() {
      super("sold");
      inner = new Refused();
    }
  }

  @Test
  void eachThrowableComesByOnceHoweverItIsConstructed() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open();
        PlaceSubscription refused =
            jvmti
                .events()
                .at(
                    CodePlace.creation(Refused.class),
                    frame -> seen.add(frame.local("this", Throwable.class).getMessage()));
        PlaceSubscription all =
            jvmti
                .events()
                .at(
                    CodePlace.creationIn("io.jvmtools.functions"),
                    frame -> seen.add("all " + frame.local("this", Throwable.class)))) {
      new Refused();
      assertThat(seen).containsExactly("refused", "all " + Refused.class.getName() + ": refused");
      seen.clear();
      assertThat(new Sold().inner).isNotNull();
      assertThat(seen)
          .containsExactly(
              "sold",
              "refused",
              "all " + Refused.class.getName() + ": refused",
              "all " + Sold.class.getName() + ": sold");
      assertThat(refused.breakpoints()).hasSize(2);
      assertThat(all.breakpoints()).hasSizeGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aThrowableWithConstructorsInTwoPackagesComesByOnce() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    MadeThrowables made = new MadeThrowables();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    CodePlace.creationIn(MadeThrowables.OURS),
                    frame ->
                        seen.add(
                            frame.method().declaringClass().orElseThrow().getSimpleName()
                                + " of "
                                + frame.local("this", Throwable.class).getMessage()))) {
      MadeThrowables.make(made.outermost, "one");
      MadeThrowables.make(made.between, "other");
      MadeThrowables.make(made.innermost, "third");
      assertThat(seen)
          .containsExactly("Outermost of one", "Innermost of other", "Innermost of third");
      assertThat(here.counts().failed()).isZero();
    }
  }

  @Test
  void aFrameIsOfUseToItsListenerAlone() throws InterruptedException {
    AtomicReference<EventFrame> kept = new AtomicReference<>();
    List<Throwable> elsewhere = Collections.synchronizedList(new ArrayList<>());
    CodePlace place = lineOfTheMark();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    place,
                    frame -> {
                      kept.set(frame);
                      Thread other =
                          new Thread(
                              () -> {
                                try {
                                  frame.locals();
                                } catch (IllegalStateException refused) {
                                  elsewhere.add(refused);
                                }
                              });
                      other.start();
                      join(other);
                    })) {
      total(1, 1);
      assertThat(here.counts().failed()).isZero();
      assertThat(elsewhere).hasSize(1);
      EventFrame frame = kept.get();
      assertThat(frame.method().name()).isEqualTo("total");
      assertThatThrownBy(frame::locals).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(frame::stackTrace).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> jvmti.events().frame()).isInstanceOf(IllegalStateException.class);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoIsToldOfAStepSeesTheFrameThatTakesIt() {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open(CAN_GENERATE_SINGLE_STEP_EVENTS)) {
      try (Subscription steps =
          jvmti
              .events()
              .on(
                  EventTypes.SINGLE_STEP,
                  EventFilter.ANY
                      .threads(Thread.currentThread())
                      .classes(PlacesTest.class.getName()),
                  event -> {
                    EventFrame frame = jvmti.events().frame();
                    told.add(event.method().name() + " " + event.location());
                    seen.add(frame.method().name() + " " + frame.location());
                    frame.locals();
                  })) {
        total(3, 4);
        assertThat(steps.counts().failed()).isZero();
      }
    }
    assertThat(seen).isEqualTo(told).contains("total 0").hasSizeGreaterThan(8);
  }

  @Test
  void aPlaceMovesWithItsLineWhenTheLibraryRedefinesTheClass() {
    Runnable changed = later();
    AtomicInteger hits = new AtomicInteger();
    try (Jvmti jvmti = open(CAN_REDEFINE_CLASSES);
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    CodePlace.entry(Later.class.getName(), "run"),
                    frame -> hits.incrementAndGet())) {
      changed.run();
      byte[] file = ClassFiles.of(Later.class);
      jvmti.classes().redefine(changed.getClass(), file);
      changed.run();
      assertThat(hits).hasValue(2);
      assertThat(here.breakpoints()).isNotEmpty();
    }
  }

  @Test
  void whoseEnvironmentIsClosedKeepsNobodyFromRedefining() {
    Runnable changed = later();
    try (Jvmti other = Jvmti.open(CAN_REDEFINE_CLASSES)) {
      Jvmti closed = open();
      PlaceSubscription here =
          closed.events().at(CodePlace.entry(Later.class.getName(), "run"), frame -> {});
      closed.close();
      other.classes().redefine(changed.getClass(), ClassFiles.of(Later.class));
      here.close();
    }
  }

  @Test
  void aClassThatAListenerIsTheFirstToUseHasItsPlaceToo() {
    List<Runnable> made = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger hits = new AtomicInteger();
    CodePlace place = lineOfTheMark();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    CodePlace.entry(Later.class.getName(), "run"),
                    frame -> hits.incrementAndGet());
        PlaceSubscription uses = jvmti.events().at(place, frame -> made.add(later()))) {
      total(1, 1);
      made.get(0).run();
      assertThat(hits).hasValue(1);
      assertThat(here.counts().failed() + uses.counts().failed()).isZero();
    }
  }

  @Test
  void aListenerMayCallAsDeepAsItLikes() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CodePlace place = lineOfTheMark();
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(place, frame -> deep(100, frame, seen))) {
      total(4, 5);
      assertThat(here.counts().failed()).isZero();
      assertThat(seen).containsExactly("total", "20");
    }
  }

  private static void deep(int calls, EventFrame frame, List<String> seen) {
    if (calls > 0) {
      deep(calls - 1, frame, seen);
    } else {
      seen.add(frame.stackTrace().get(0).methodName());
      seen.add(String.valueOf(frame.local("total", int.class)));
    }
  }

  @Test
  void withoutTheCapabilityThereIsNoPlace() {
    try (Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES)) {
      CodePlace place = lineOfTheMark();
      assertThatThrownBy(() -> jvmti.events().at(place, frame -> {}))
          .isInstanceOf(MissingCapabilityException.class);
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }
}
