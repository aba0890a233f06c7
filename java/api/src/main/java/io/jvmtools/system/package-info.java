/** The JVM as a whole: timers and processors. */
@NullMarked
package io.jvmtools.system;

import org.jspecify.annotations.NullMarked;
