/** Threads, thread groups, suspension and monitors of threads. */
@NullMarked
package io.jvmtools.functions.thread;

import org.jspecify.annotations.NullMarked;
