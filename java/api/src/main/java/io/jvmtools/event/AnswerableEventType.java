package io.jvmtools.event;

import io.jvmtools.Capability;
import org.jspecify.annotations.Nullable;

/**
 * A kind of event whose listeners may answer, and so have the JVM do something else. {@link
 * Events#answer} says how.
 *
 * @param <E> the type of its events
 * @param <A> what may be answered
 */
public final class AnswerableEventType<E, A> extends EventType<E> {

  private final Class<A> answer;

  AnswerableEventType(
      String name,
      Class<E> event,
      Class<A> answer,
      int place,
      @Nullable Capability capability,
      Trait... traits) {
    super(name, event, place, capability, traits);
    this.answer = answer;
  }

  /**
   * What its listeners may answer.
   *
   * @return the type
   */
  public Class<A> answer() {
    return answer;
  }
}
