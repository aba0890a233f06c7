/** Forged input: every public method with arguments that nobody should pass. */
package io.jvmtools.fuzz;
