package io.jvmtools.internal.code;

/** Stands for what makes methods of the ids that events bring; {@code JvmMethod} hands it over. */
public final class EventMethods {

  private EventMethods() {}
}
