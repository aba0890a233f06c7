/**
 * The differential oracle: the same scenarios, observed by a C++ agent through {@code jvmti.h}, by
 * the library, and by Java itself where Java has an answer.
 *
 * <p>Each side has one file for each stem: {@code cpp/thread.cpp}, {@code OursThread} and {@code
 * JavaThread}; {@link io.jvmtools.oracle.Sides} says what the first one lacks, and without the
 * second it does not compile. Scenarios that set up one thing for several stems stand in a file of
 * that: stacks, monitors, suspension.
 */
package io.jvmtools.oracle;
