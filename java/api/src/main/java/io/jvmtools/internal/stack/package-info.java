/** Natives, and what they answer, of stacks. */
@NullMarked
package io.jvmtools.internal.stack;

import org.jspecify.annotations.NullMarked;
