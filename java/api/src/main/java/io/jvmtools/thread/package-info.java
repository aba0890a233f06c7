/**
 * Threads and their groups: states, names, monitors they own, storage, and how to make them stand
 * still.
 */
@NullMarked
package io.jvmtools.thread;

import org.jspecify.annotations.NullMarked;
