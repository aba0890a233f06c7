package io.jvmtools.internal.code;

/**
 * A field that an event brings, of which {@code JvmField} makes one of its own.
 *
 * @param type its class
 * @param id what the JVM calls it, together with that
 */
public record EventFields(Class<?> type, long id) {}
