/**
 * Each error that the specification lists for a function that is done: a call that provokes it, or
 * why Java cannot. Part of it follows from the tables of spec/.
 */
@NullMarked
package io.jvmtools.functions.errors;

import org.jspecify.annotations.NullMarked;
