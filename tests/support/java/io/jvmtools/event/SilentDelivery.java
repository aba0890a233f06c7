package io.jvmtools.event;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.event.EventNatives;
import java.lang.ref.Reference;
import java.util.Optional;

/** Has listeners told that nobody is, for natives that are called by themselves. */
public final class SilentDelivery extends Upcalls {

  private static final int NUMBER = 1;

  private SilentDelivery() {}

  @Override
  Optional<JvmMethod> known(long id, long address) {
    return Optional.empty();
  }

  @Override
  void tell(int listener, Object event) {}

  @Override
  Object ask(int listener, Object event) {
    return null;
  }

  /** Begins to listen; answers who is told, as long as that is kept. */
  public static Object listen(long env) {
    SilentDelivery delivery = new SilentDelivery();
    int kind = EventTypes.THREAD_END.place();
    EventNatives.subscribe(env, delivery, NUMBER, kind, null, null, null, null, 0, -1, null, false);
    return delivery;
  }

  /** Begins to listen, and ends that. */
  @SuppressWarnings("ReachabilityFenceUsage") // What fails has no delivery.
  public static void begin(long env) {
    Object delivery = listen(env);
    EventNatives.counts(env, NUMBER);
    EventNatives.unsubscribe(env, NUMBER);
    Reference.reachabilityFence(delivery);
  }
}
