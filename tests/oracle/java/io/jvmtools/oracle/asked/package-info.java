/**
 * What every observer is asked, with which arguments, and the form in which it answers.
 *
 * <p>{@code <Stem>Functions} has the functions of a stem and a call of each, from {@code spec/}.
 */
package io.jvmtools.oracle.asked;
