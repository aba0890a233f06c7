package io.jvmtools.internal.object;

import org.jspecify.annotations.Nullable;

/**
 * What GetObjectMonitorUsage answers.
 *
 * @param owner the thread that owns the monitor, null if none does
 * @param entryCount how often the owner has entered it
 * @param waiters the threads that wait to enter it; before JDK 23 also those that wait to be
 *     notified
 * @param notifyWaiters the threads that wait to be notified
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record MonitorFacts(
    @Nullable Thread owner, int entryCount, Thread[] waiters, Thread[] notifyWaiters) {}
