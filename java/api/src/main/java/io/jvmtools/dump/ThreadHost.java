package io.jvmtools.dump;

import org.jspecify.annotations.Nullable;

/**
 * What runs a thread, and what has started it.
 *
 * @param nativeId its number in the operating system, negative if not known
 * @param ageNanos how long ago that made it, negative if not known
 * @param carrier who carries it
 * @param carried whom it carries
 * @param container the JDK's container of the thread
 * @param containerOwner whose scope that is
 */
record ThreadHost(
    long nativeId,
    long ageNanos,
    @Nullable DumpedName carrier,
    @Nullable DumpedName carried,
    @Nullable String container,
    @Nullable DumpedName containerOwner) {

  static final ThreadHost NOT_KNOWN = new ThreadHost(-1, -1, null, null, null, null);
}
