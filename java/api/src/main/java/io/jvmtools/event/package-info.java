/**
 * Events: what happens in the JVM, as it happens.
 *
 * @see io.jvmtools.Jvmti#events()
 */
@NullMarked
package io.jvmtools.event;

import org.jspecify.annotations.NullMarked;
