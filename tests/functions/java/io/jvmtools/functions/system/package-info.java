/** Timers. */
@NullMarked
package io.jvmtools.functions.system;

import org.jspecify.annotations.NullMarked;
