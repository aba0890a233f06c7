package io.jvmtools.event;

import io.jvmtools.code.NativeAddress;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.environment.GeneralNatives;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Has told of an event that never was, before anybody is told of one of its kind. What a thread
 * names for the first time, the class loader is locked for, which another thread may have that
 * waits for what this one has: the lock of a jar. And who initialises a class may be suspended.
 */
final class Rehearsal {

  private static final Nobody NOBODY = new Nobody();
  private static final Events.Told<Object> TOLD = new Events.Told<>(NOBODY);
  private static final Events.Asked<Object, NativeAddress> ASKED = new Events.Asked<>(NOBODY);

  /** One for all: places may be asked for where throwables are made. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // It is never thrown.
  private static final Throwable THROWN = new Unthrown();

  private Rehearsal() {}

  /** Once for each kind; without a lock, for who comes at the same time may as well do it, too. */
  static void of(EventType<?> type, Environment environment) {
    if (!type.isRehearsed()) {
      Props props = props();
      Values.rehearse();
      Delivery delivery = new Delivery(environment);
      rehearse(delivery, new Subscription(delivery, type, TOLD, false), props);
      rehearse(delivery, new Subscription(delivery, type, ASKED, false), props);
      type.hasBeenRehearsed();
    }
  }

  private static void rehearse(Delivery delivery, Subscription one, Props props) {
    delivery.change(one, true);
    delivery.rehearse(one.type().place(), one.number(), props);
    one.onError(NOBODY).report(props.throwable());
  }

  /** No reflection: a SecurityManager may refuse it. */
  private static Props props() {
    Class<?> type = EventType.class;
    long metadata = GeneralNatives.metadata();
    return new Props(
        Thread.currentThread(),
        type,
        THROWN,
        ClassNatives.getClassMethods(metadata, type)[0],
        ClassNatives.getClassFields(metadata, type)[0]);
  }

  /** Without a stack, which would keep the classes of whoever is the first to listen. */
  private static final class Unthrown extends Throwable {

    private static final long serialVersionUID = 1;

    Unthrown() {
      super(null, null, false, false);
    }
  }

  /** No lambda: linking one could wait for a suspended thread. */
  private static final class Nobody
      implements Consumer<Object>, Function<Object, Optional<NativeAddress>> {

    @Override
    public void accept(Object told) {}

    @Override
    public Optional<NativeAddress> apply(Object asked) {
      return Optional.empty();
    }
  }
}
