package io.jvmtools.event;

/**
 * What became of the events that the JVM has told of for one listener, since it began to listen.
 *
 * @param delivered how often the listener was called, and has returned or thrown
 * @param failed how often of those it has thrown
 * @param filtered how many were none of those that its filter asks for, or more of them in a second
 *     than it asks for. The JVM counts nothing that it is not asked for, on other threads
 * @param suppressed of how many it was not told because their thread was in a listener, or may have
 *     been about to leave its frame, as {@code Frames} has threads do and {@link
 *     EventFrame#returnEarly()} does
 * @param lost of how many it could not be told, for want of memory, or of stack, or of room among
 *     what is recorded; and after how many a method did not return early that it has asked to
 */
public record EventCounts(long delivered, long failed, long filtered, long suppressed, long lost) {}
