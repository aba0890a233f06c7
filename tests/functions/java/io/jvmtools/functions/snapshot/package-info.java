/** Snapshots: when they are taken, and what they keep. */
@NullMarked
package io.jvmtools.functions.snapshot;

import org.jspecify.annotations.NullMarked;
