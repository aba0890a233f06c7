package io.jvmtools.internal.dump;

import io.jvmtools.internal.stack.StackFacts;
import org.jspecify.annotations.Nullable;

/**
 * What one call reads for a thread dump. An array with a place for each thread has as many as
 * {@code threads}; one that is null was not asked for.
 *
 * @param threads platform threads as the JVM lists them, the calling one among them, then the
 *     virtual ones that were asked for
 * @param packed states and stacks of them all, as in {@link StackFacts}; on the calling thread our
 *     own frames are there
 * @param suspended for each thread the error of its suspension, 0 if it stood still; null if the
 *     stacks were read at a safepoint
 * @param cpuNanos for each thread its CPU time, −1 if not known
 * @param contended for each thread what GetCurrentContendedMonitor says, null for none
 * @param contendedOwners for each thread who owns that, null for nobody; not there either where the
 *     monitors of all threads tell it
 * @param monitorCounts for each thread how many of {@code monitors} are its own, in their order, −1
 *     if the JVM does not tell
 * @param monitors the objects whose monitors the threads own
 * @param monitorDepths the depths of the frames that entered them, −1 if not known
 * @param blockers for each thread the object it is parked for, null for none
 * @param blockerOwners for each thread who owns its blocker, null if nobody does or that is not
 *     known
 * @param localPlaces for each local the index of the thread and the depth, in turn
 * @param localNames for each local its name
 * @param localSignatures for each local the descriptor of its type
 * @param localBits for each local its bits, if it is a primitive
 * @param localObjects for each local its object, if it is a reference
 * @param expired whether the threads were resumed before all was read
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record DumpFacts(
    Thread[] threads,
    long[] packed,
    int @Nullable [] suspended,
    long @Nullable [] cpuNanos,
    @Nullable Object @Nullable [] contended,
    @Nullable Thread @Nullable [] contendedOwners,
    int @Nullable [] monitorCounts,
    Object @Nullable [] monitors,
    int @Nullable [] monitorDepths,
    @Nullable Object @Nullable [] blockers,
    @Nullable Thread @Nullable [] blockerOwners,
    int @Nullable [] localPlaces,
    String @Nullable [] localNames,
    String @Nullable [] localSignatures,
    long @Nullable [] localBits,
    @Nullable Object @Nullable [] localObjects,
    boolean expired) {}
