/** Natives, and what they answer, of objects. */
@NullMarked
package io.jvmtools.internal.object;

import org.jspecify.annotations.NullMarked;
