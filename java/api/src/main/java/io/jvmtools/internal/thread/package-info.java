/** Natives, and what they answer, of threads and their groups. */
@NullMarked
package io.jvmtools.internal.thread;

import org.jspecify.annotations.NullMarked;
