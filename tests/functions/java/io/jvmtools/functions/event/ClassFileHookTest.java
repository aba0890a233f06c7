package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.event.EventTypes.CLASS_FILE_LOAD_HOOK;
import static io.jvmtools.event.EventTypes.THREAD_END;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.event.ClassFileLoadHookEvent;
import io.jvmtools.event.EventCounts;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Events;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.support.ChildJvm;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ClassFileLoadHook: what listeners make of class files. */
class ClassFileHookTest {

  private static final EventFilter OURS = EventFilter.ANY.classes(Changeable.NAME);
  private static final byte[] MAGIC = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe};

  private final Jvmti jvmti = Jvmti.open(CAN_RETRANSFORM_CLASSES);
  private final Events events = jvmti.events();
  private final List<ClassFileLoadHookEvent> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    jvmti.close();
  }

  private static String answer() {
    return Changeable.answer(Changeable.make(Changeable.type()));
  }

  private Function<ClassFileLoadHookEvent, Optional<byte[]>> to(Variant variant) {
    return event -> {
      told.add(event);
      return Optional.of(variant.file());
    };
  }

  @Test
  void aClassIsMadeOfWhatAListenerAnswers() {
    try (Subscription one = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.OTHER_ANSWER))) {
      assertThat(answer()).isEqualTo("2");
      assertThat(one.counts().delivered()).isEqualTo(1);
      ClassFileLoadHookEvent event = told.get(0);
      assertThat(event.classBeingRedefined()).isEmpty();
      assertThat(event.loader()).isPresent();
      assertThat(event.protectionDomain()).isPresent();
      assertThat(event.classData()).startsWith(MAGIC);
    }
    assertThat(answer()).as("after that").isEqualTo("1");
  }

  @Test
  void nobodySeesWhatAnotherOneDoesToItsCopy() {
    try (Subscription one =
        events.on(
            CLASS_FILE_LOAD_HOOK,
            OURS,
            event -> {
              event.classData()[0] = 0;
              told.add(event);
            })) {
      assertThat(answer()).isEqualTo("1");
      assertThat(told.get(0).classData()).isEqualTo(Variant.SAME.file());
      assertThat(one.counts().failed()).isZero();
    }
  }

  @Test
  void eachIsShownWhatTheOneBeforeHasMade() {
    try (Subscription first = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.OTHER_ANSWER));
        Subscription second =
            events.answer(
                CLASS_FILE_LOAD_HOOK,
                OURS,
                event -> {
                  told.add(event);
                  return Optional.empty();
                });
        Subscription third = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.THIRD_ANSWER))) {
      assertThat(answer()).isEqualTo("3");
      assertThat(told)
          .extracting(ClassFileLoadHookEvent::classData)
          .containsExactly(
              Variant.SAME.file(), Variant.OTHER_ANSWER.file(), Variant.OTHER_ANSWER.file());
      for (Subscription one : List.of(first, second, third)) {
        EventCounts counts = one.counts();
        assertThat(counts).isEqualTo(new EventCounts(1, 0, counts.filtered(), 0, 0));
      }
    }
  }

  @Test
  void oneThatThrowsLeavesTheClassAsItWas() {
    IllegalStateException thrown = new IllegalStateException("of a listener");
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    try (Subscription first = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.OTHER_ANSWER));
        Subscription second =
            events.answer(
                CLASS_FILE_LOAD_HOOK,
                OURS,
                event -> {
                  throw thrown;
                })) {
      second.onError(reported::add);
      assertThat(answer()).isEqualTo("2");
      assertThat(reported).containsExactly(thrown);
      assertThat(second.counts().failed()).isEqualTo(1);
      assertThat(first.counts().failed()).isZero();
    }
  }

  @Test
  void whatIsNoClassFileIsTheClassLoadersProblem() {
    for (Variant variant : new Variant[] {Variant.NO_CLASS_FILE, Variant.EMPTY}) {
      try (Subscription one = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(variant))) {
        assertThatThrownBy(Changeable::type).isInstanceOf(ClassFormatError.class);
        assertThat(one.counts().delivered()).isPositive();
      }
    }
  }

  @Test
  void redefinitionsAndRetransformationsAreShownToo() {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    jvmti.add(Capability.CAN_REDEFINE_CLASSES);
    try (Subscription one = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.OTHER_ANSWER))) {
      jvmti.classes().retransform(type);
      assertThat(Changeable.answer(object)).isEqualTo("2");
      jvmti.classes().redefine(type, Variant.THIRD_ANSWER.file());
      assertThat(Changeable.answer(object)).as("made of the third by the listener").isEqualTo("2");
      assertThat(told)
          .extracting(ClassFileLoadHookEvent::classBeingRedefined)
          .containsExactly(Optional.of(type), Optional.of(type));
      assertThat(told.get(1).classData()).isEqualTo(Variant.THIRD_ANSWER.file());
      assertThat(one.counts().delivered()).isEqualTo(2);
    }
    jvmti.classes().retransform(type);
    assertThat(Changeable.answer(object)).isNotEqualTo("2");
  }

  /** Makes a class once. */
  private static final class To implements ClassFileTransformer {

    private final byte[] file;

    To(Variant variant) {
      file = variant.file();
    }

    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
      return file;
    }
  }

  @Test
  void aTransformerForOnceIsShownWhatListenersMake() {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    List<byte[]> shown = new CopyOnWriteArrayList<>();
    ClassFileTransformer once =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> t, ProtectionDomain domain, byte[] file) {
            shown.add(file.clone());
            return Variant.THIRD_ANSWER.file();
          }
        };
    try (Subscription one = events.answer(CLASS_FILE_LOAD_HOOK, OURS, to(Variant.OTHER_ANSWER))) {
      assertThat(jvmti.classes().retransform(once, type)).containsExactly(type);
      assertThat(Changeable.answer(object)).isEqualTo("3");
      assertThat(shown).contains(Variant.OTHER_ANSWER.file());
      assertThat(answer()).as("who listens is told after that").isEqualTo("2");
      assertThat(one.counts().lost()).isZero();
    }
    assertThat(jvmti.classes().retransform(once, type)).containsExactly(type);
    assertThat(Changeable.answer(object)).isEqualTo("3");
  }

  @Test
  void anotherEventIsToldAfterATransformationForOnce() throws InterruptedException {
    Class<?> type = Changeable.type();
    List<Thread> ended = new CopyOnWriteArrayList<>();
    try (Subscription one = events.on(THREAD_END, event -> ended.add(event.thread()))) {
      jvmti.classes().retransform(new ClassFileTransformer() {}, type);
      Thread ends = new Thread(() -> {});
      ends.start();
      ends.join();
      assertThat(ended).contains(ends);
      assertThat(one.counts().failed()).isZero();
    }
  }

  @Test
  void aListenerMayChangeOtherClassesButNotTheOneThatIsChanged() {
    Class<?> type = Changeable.type();
    Class<?> other = Changeable.type();
    Object object = Changeable.make(type);
    Object another = Changeable.make(other);
    jvmti.add(Capability.CAN_REDEFINE_CLASSES);
    List<Throwable> refused = new CopyOnWriteArrayList<>();
    try (Subscription one =
        events.on(
            CLASS_FILE_LOAD_HOOK,
            OURS,
            event -> {
              if (event.classBeingRedefined().equals(Optional.of(type))) {
                refused.add(
                    catchThrowable(
                        () -> jvmti.classes().redefine(type, Variant.THIRD_ANSWER.file())));
                jvmti.classes().redefine(other, Variant.THIRD_ANSWER.file());
              }
            })) {
      for (int i = 0; i < 20; i++) {
        ClassFileTransformer once = new To(Variant.OTHER_ANSWER);
        assertThat(jvmti.classes().retransform(once, type)).containsExactly(type);
        assertThat(Changeable.answer(object)).isEqualTo("2");
        assertThat(Changeable.answer(another)).isEqualTo("3");
      }
      assertThat(one.counts().failed()).isZero();
    }
    assertThat(refused)
        .hasSizeGreaterThanOrEqualTo(20)
        .allSatisfy(
            thrown ->
                assertThat(thrown)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is changing the class already"));
  }

  @Test
  void noneOfManyListenersLeavesAReference() {
    ChildJvm.of(Many.class).run().succeeds();
  }

  static final class Many {
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open(CAN_RETRANSFORM_CLASSES)) {
        List<Subscription> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          all.add(
              jvmti
                  .events()
                  .answer(CLASS_FILE_LOAD_HOOK, OURS, event -> Optional.of(event.classData())));
        }
        assertThat(answer()).isEqualTo("1");
        assertThat(all).allSatisfy(one -> assertThat(one.counts().delivered()).isEqualTo(1));
      }
    }
  }

  @Test
  void theTextOfAnEventLinksNothing() {
    ChildJvm.of(Texts.class).run().succeeds().out().contains("one, two");
  }

  static final class Texts {
    public static void main(String[] args) {
      AtomicInteger letters = new AtomicInteger();
      try (Jvmti jvmti = Jvmti.open(CAN_RETRANSFORM_CLASSES);
          Subscription one =
              jvmti
                  .events()
                  .on(
                      CLASS_FILE_LOAD_HOOK,
                      event -> letters.addAndGet(event.toString().length()))) {
        // The first that the JVM links by method handles.
        System.out.println(Stream.of("one", "two").collect(Collectors.joining(", ")));
        assertThat(letters.get()).isPositive();
        assertThat(one.counts().failed()).isZero();
      }
    }
  }

  @Test
  void whoHoldsNoCapabilityIsToldOfNothing() {
    try (Jvmti other = Jvmti.open()) {
      assertThatThrownBy(() -> other.events().on(CLASS_FILE_LOAD_HOOK, told::add))
          .isInstanceOf(MissingCapabilityException.class)
          .hasMessageContaining("CAN_RETRANSFORM_CLASSES");
    }
  }

  @Test
  void whatAListenerLoadsNobodyIsShown() {
    try (Subscription one =
        events.on(
            CLASS_FILE_LOAD_HOOK,
            OURS,
            event -> {
              told.add(event);
              Changeable.type();
            })) {
      assertThat(answer()).isEqualTo("1");
      assertThat(told).hasSize(1);
      assertThat(one.counts().suppressed()).isEqualTo(1);
    }
  }
}
