package io.jvmtools.internal.object;

/**
 * Tagged objects.
 *
 * @param objects the objects
 * @param tags their tags, index by index
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record TagFacts(Object[] objects, long[] tags) {}
