/** Natives, and what they answer, of methods, and what is kept of those. */
@NullMarked
package io.jvmtools.internal.code;

import org.jspecify.annotations.NullMarked;
