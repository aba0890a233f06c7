package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.event.EnvironmentOfEvents;
import io.jvmtools.internal.event.EventNatives;
import io.jvmtools.internal.failure.Failures;
import io.jvmtools.thread.Threads;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events: what happens in the JVM, told on the thread on which it happens and before that thread
 * goes on; or, where no Java can run then, {@linkplain EventType#isRecorded() recorded} and told
 * later, by one thread.
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS);
 *     Subscription contended =
 *         jvmti
 *             .events()
 *             .on(
 *                 EventTypes.MONITOR_CONTENDED_ENTER,
 *                 EventFilter.ANY.perSecond(10),
 *                 event -> log(event.thread(), event.object().getClass()))) {
 *   serve();
 * }
 * }</pre>
 *
 * <p>A listener is called by any thread, by many at once, and whoever waits in it keeps that thread
 * waiting, with every lock it has: of the application, and with some kinds (classes that are
 * loaded) of the JVM. So it had better be short, and wait for nobody. On a virtual thread it keeps
 * the carrier as well: if it wants what another virtual thread owns, by a {@code synchronized
 * toString()} of what it is told of, say, and all carriers come to wait in that way, nobody is left
 * to run the owner, and they stand still for ever.
 *
 * <p>What a listener does it had better have done once before it listens, with what it asks this
 * library, too. A class that it is the first to use is loaded by a thread that may have anything,
 * the lock of a jar, say, for which another one waits that loads the same class: they wait for each
 * other for ever. The library loads what it needs for telling when somebody begins to listen.
 *
 * <p>Of what a thread does within a listener no listener is told; those events are counted as
 * suppressed, as far as the JVM tells of them: of exceptions in a listener of exceptions it does
 * not, nor of allocations in one of allocations. A listener may park, as locks do: the thread has a
 * permit afterwards, so that the application goes on. What {@link Threads#stop} throws at a thread
 * that is in a listener, the listener gets. Nor is any told of what the library's own threads do,
 * also those that hand over snapshots; but who has a say ({@link #answer}) is asked there, too. Nor
 * is any told once the JVM is about to end: the end waits two seconds for listeners that are being
 * called, and then tells those of {@link EventTypes#VM_DEATH}, for which it waits as for shutdown
 * hooks: without a bound, and for ever if one calls {@link System#exit} or {@link Runtime#halt}.
 *
 * <p>Once a kind's capability is given up its listeners are told no more, also when it is added
 * again. What the JVM tells of each method that is entered, or each bytecode, it tells of listeners
 * too, in vain: telling of a method that is entered costs about a tenth of a millisecond on its
 * thread, of a bytecode a millisecond, and those that a filter keeps away one or two microseconds.
 * Beginning to listen to all threads goes through them: milliseconds with a thousand of them, a
 * fifth of a second with ten thousand, and from JDK 21 on, where somebody has named threads to
 * listen to, a second with three thousand.
 *
 * <p>Listeners are reachable from their environment alone: a {@link Jvmti} that nobody keeps is
 * collected, and they with it. A {@link Subscription} keeps it.
 */
public final class Events {

  private static final String FUNCTION = "SetEventNotificationMode";

  static {
    Makers.register(
        Events.class,
        new Maker<Environment, Events>() {
          @Override
          public Events make(Environment environment) {
            return new Events(environment);
          }
        });
    Makers.register(
        EnvironmentOfEvents.class,
        new Maker<Events, Environment>() {
          @Override
          public Environment make(Events events) {
            return events.environment;
          }
        });
  }

  private final Environment environment;
  private final Delivery delivery;
  private final PlacedBreakpoints placed;

  Events(Environment environment) {
    this.environment = environment;
    delivery = new Delivery(environment);
    placed = new PlacedBreakpoints(environment);
  }

  /**
   * Has a listener told of all events of one kind. Needs the capability {@linkplain
   * EventType#capability() of that kind}.
   *
   * @param type which
   * @param listener what is called
   * @param <E> the type of the events
   * @return what ends it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws NotSupportedException if the JVM has no events of this kind
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public <E> Subscription on(EventType<E> type, Consumer<? super E> listener) {
    return on(type, EventFilter.ANY, listener);
  }

  /**
   * Has a listener told of some events of one kind. Needs the capability {@linkplain
   * EventType#capability() of that kind}.
   *
   * @param type which
   * @param filter which of them
   * @param listener what is called
   * @param <E> the type of the events
   * @return what ends it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws NotSupportedException if the JVM has no events of this kind
   * @throws ThreadNotAliveException if a thread that the filter asks for has not started yet, or
   *     has ended, and the JVM is to tell of that one
   * @throws IllegalArgumentException if the filter asks for what events of this kind do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public <E> Subscription on(EventType<E> type, EventFilter filter, Consumer<? super E> listener) {
    requireNonNull(listener, "listener");
    return begin(type, new Told<>(listener), filter, null, false);
  }

  /**
   * Has a listener told of some events of one kind, whose answer the JVM takes. Of several the next
   * one is told what the one before has made of it, in the order in which they began; in which
   * order environments are asked is the JVM's affair. Needs the capability {@linkplain
   * EventType#capability() of that kind}.
   *
   * <p>With {@link EventTypes#CLASS_FILE_LOAD_HOOK} the answer is another class file. A listener is
   * asked about each class that is loaded from a class file, but hidden ones, such as those of
   * lambdas, and about each that is redefined or retransformed. What it answers about a class that
   * is loaded the JVM checks like any other. It is asked in the middle of loading: what it does for
   * the first time, as joining strings with {@code +}, may load classes that wait for this one, and
   * then fails for good, also for the application. Nor can it change the class that it is asked
   * about.
   *
   * <p>With {@link EventTypes#NATIVE_METHOD_BIND} it is where other code for the method is: where
   * that of another native method was when that one was bound, or a function of a library, which
   * {@link NativeAddress#ofSymbol(String)} finds by its name. Nobody can tell whether it takes what
   * the method takes: if it does not, the JVM crashes when it calls the method.
   *
   * @param type which
   * @param filter which of them
   * @param listener what is called; if it answers nothing, or throws, all stays as it was
   * @param <E> the type of the events
   * @param <A> the type of the answers
   * @return what ends it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalArgumentException if the filter asks for what events of this kind do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public <E, A> Subscription answer(
      AnswerableEventType<E, A> type,
      EventFilter filter,
      Function<? super E, Optional<A>> listener) {
    requireNonNull(listener, "listener");
    return begin(type, new Asked<>(listener), filter, null, false);
  }

  /**
   * Has a listener told whenever a thread comes to a place in code, on that thread. Needs {@link
   * Capability#CAN_GENERATE_BREAKPOINT_EVENTS}, and where throwables are made {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}, too.
   *
   * <p>There is a breakpoint in each class that has the place: those that are there, and those that
   * come, from the moment on at which they are linked. It is set where the place is by then once
   * this library has redefined or retransformed the class; and if the environment holds {@link
   * Capability#CAN_RETRANSFORM_CLASSES} by now also within seconds after another agent has. Without
   * that capability nothing keeps the library from setting a breakpoint while another agent
   * redefines the class, which ends the JVM: hold it where there is one that does. A method with a
   * breakpoint is not compiled. Until this is closed the JVM keeps those classes loaded.
   *
   * @param place where
   * @param listener is given the frame that has come there, which has not executed what is there
   * @return what ends it
   * @throws MissingCapabilityException if the environment does not hold what is needed
   * @throws StalledException if the thread of the library that does it does not answer, or another
   *     thread, which may be suspended, keeps on giving a class another class file
   * @throws IllegalStateException if the environment is closed
   */
  public PlaceSubscription at(CodePlace place, Consumer<? super EventFrame> listener) {
    requireNonNull(place, "place");
    requireNonNull(listener, "listener");
    if (place.isOfCreation()) {
      Capability locals = Capability.CAN_ACCESS_LOCAL_VARIABLES;
      Failures.requireHeld("GetLocalInstance", locals, environment.handle());
    }
    PlaceSubscription one = new PlaceSubscription(this, place, listener);
    one.begin();
    return one;
  }

  /**
   * The frame in which the calling thread was when the JVM stopped it to tell it of an event. Needs
   * no capability. A listener that asks for it names {@link EventFrame} before it listens, as all
   * that it uses: {@code EventFrame.class} suffices.
   *
   * @return the frame, which can be asked until the listener returns
   * @throws IllegalStateException if the calling thread is in no listener, or runs no code below
   *     it; or if the environment is closed
   */
  public EventFrame frame() {
    return EventFrame.here(environment);
  }

  /**
   * Waits until listeners have been told of all that has been recorded so far. Of a kind that is
   * not {@linkplain EventType#isRecorded() recorded} nothing has to be waited for. Within a
   * listener of one that is, it returns at once.
   *
   * @throws StalledException if listeners take longer than five seconds
   * @throws IllegalStateException if the environment is closed
   */
  public void flush() {
    delivery.flush();
  }

  /**
   * Has the JVM tell again what it has told before anybody listened: of the methods that are
   * compiled, or of other code that it has made (JVM TI's {@code GenerateEvents}).
   *
   * @param type {@link EventTypes#COMPILED_METHOD_LOAD}, which needs {@link
   *     Capability#CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS}, or {@link
   *     EventTypes#DYNAMIC_CODE_GENERATED}
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if it is another kind ({@code JVMTI_ERROR_ILLEGAL_ARGUMENT})
   * @throws IllegalStateException if the environment is closed
   */
  public void generate(EventType<?> type) {
    requireNonNull(type, "type");
    if (type.capability().isPresent()) {
      Failures.requireHeld("GenerateEvents", type.capability().get(), environment.handle());
    }
    try {
      EventNatives.generate(environment.handle(), type.place());
    } catch (JvmtiException refused) {
      throw named(refused, type);
    }
    environment.keep();
  }

  /** Has events of one kind counted, and nobody told. */
  Subscription count(EventType<?> type, EventFilter filter, int[] profile) {
    return begin(type, new Told<>(event -> {}), filter, profile, false);
  }

  /** Has the library itself told, also of what listeners do. */
  <E> Subscription onAlsoNested(
      EventType<E> type, EventFilter filter, Consumer<? super E> listener) {
    return begin(type, new Told<>(listener), filter, null, true);
  }

  PlacedBreakpoints placed() {
    return placed;
  }

  Delivery delivery() {
    return delivery;
  }

  Environment environment() {
    return environment;
  }

  private Subscription begin(
      EventType<?> type,
      Function<Object, @Nullable Object> listener,
      EventFilter filter,
      int @Nullable [] profile,
      boolean nested) {
    requireNonNull(type, "type");
    requireNonNull(filter, "filter").requireFor(type);
    if (type.capability().isPresent()) {
      Failures.requireHeld(FUNCTION, type.capability().get(), environment.handle());
    }
    Rehearsal.of(type, environment);
    if (type.has(EventType.Trait.METHOD)) {
      // Whoever is told may ask for his frame.
      EventFrame.rehearse(environment);
    }
    Subscription subscription = new Subscription(delivery, type, listener, nested);
    try {
      delivery.begin(subscription, filter, profile);
    } catch (JvmtiException refused) {
      throw named(refused, type);
    }
    return subscription;
  }

  private JvmtiException named(JvmtiException refused, EventType<?> type) {
    return type.capability()
        .map(needed -> Failures.named(refused, needed, environment.handle()))
        .orElse(refused);
  }

  /** Who answers. */
  static final class Asked<E, A> implements Function<Object, @Nullable Object> {

    private final Function<? super E, Optional<A>> listener;

    Asked(Function<? super E, Optional<A>> listener) {
      this.listener = listener;
    }

    @Override
    @SuppressWarnings("unchecked") // Native code makes events of the type that the kind says.
    public @Nullable Object apply(Object event) {
      return listener.apply((E) event).orElse(null);
    }
  }

  /** Who has no answer. */
  static final class Told<E> implements Function<Object, @Nullable Object> {

    private final Consumer<? super E> listener;

    Told(Consumer<? super E> listener) {
      this.listener = listener;
    }

    @Override
    @SuppressWarnings("unchecked") // Native code makes events of the type that the kind says.
    public @Nullable Object apply(Object event) {
      listener.accept((E) event);
      return null;
    }
  }
}
