/** Snapshot points: what a program has in its variables where it comes by, kept without a stop. */
@NullMarked
package io.jvmtools.snapshot;

import org.jspecify.annotations.NullMarked;
