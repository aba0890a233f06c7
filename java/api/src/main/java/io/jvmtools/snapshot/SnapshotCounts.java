package io.jvmtools.snapshot;

/**
 * What became of the times a thread came to the place of a snapshot point. What the consumer does
 * there while it is given one, on the thread that hands over, is in none of these.
 *
 * @param taken of how many there is a snapshot, those that are lost among them
 * @param unmatched for how many the condition did not hold
 * @param limited how many came when there had been enough, in that second or at all
 * @param failed how often the condition, taking the snapshot, or the consumer threw something
 * @param lost how many were taken and dropped, because the consumer was too slow
 */
public record SnapshotCounts(long taken, long unmatched, long limited, long failed, long lost) {}
