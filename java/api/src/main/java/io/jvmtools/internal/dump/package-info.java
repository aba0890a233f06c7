/** Natives, and what they answer, of thread dumps. */
@NullMarked
package io.jvmtools.internal.dump;

import org.jspecify.annotations.NullMarked;
