/**
 * The JVM as a whole: timers, properties, memory, JNI functions, extensions, and where class
 * loaders look.
 */
@NullMarked
package io.jvmtools.system;

import org.jspecify.annotations.NullMarked;
