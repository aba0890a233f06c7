/** Natives, and what they answer, of objects. */
@NullMarked
package io.jvmtools.internal.objects;

import org.jspecify.annotations.NullMarked;
