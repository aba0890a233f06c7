/** Events: who is told of what, on which thread, and what a listener can and cannot do. */
@NullMarked
package io.jvmtools.functions.event;

import org.jspecify.annotations.NullMarked;
