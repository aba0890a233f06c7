/** Frames and stacks. */
@NullMarked
package io.jvmtools.functions.stack;

import org.jspecify.annotations.NullMarked;
