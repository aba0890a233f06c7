/** Stacks and frames: where threads are. */
@NullMarked
package io.jvmtools.stack;

import org.jspecify.annotations.NullMarked;
