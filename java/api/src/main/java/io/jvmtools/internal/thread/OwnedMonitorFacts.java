package io.jvmtools.internal.thread;

/**
 * What GetOwnedMonitorStackDepthInfo answers.
 *
 * @param monitors the objects whose monitors the thread owns
 * @param depths the depths of the frames that entered them, index by index; -1 if not known
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record OwnedMonitorFacts(Object[] monitors, int[] depths) {}
