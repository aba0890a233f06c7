/**
 * Each error that the specification lists for a function that is done: a call that provokes it, or
 * why Java cannot.
 */
@NullMarked
package io.jvmtools.functions.errors;

import org.jspecify.annotations.NullMarked;
