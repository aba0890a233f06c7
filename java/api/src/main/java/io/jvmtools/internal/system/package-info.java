/** Natives of timers. */
@NullMarked
package io.jvmtools.internal.system;

import org.jspecify.annotations.NullMarked;
