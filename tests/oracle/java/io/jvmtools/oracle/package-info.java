/**
 * The differential oracle: the same scenarios, observed by a C++ agent through {@code jvmti.h}, by
 * the library, and by Java itself where Java has an answer.
 *
 * <p>Each side has one file for each stem: {@code cpp/thread.cpp}, {@code ours/OursThread} and
 * {@code java/JavaThread}; {@link io.jvmtools.oracle.Sides} says what the first one lacks, and
 * without the second it does not compile. No scene knows a side, and no side a scene: here they are
 * brought together, and the sides compared.
 */
package io.jvmtools.oracle;
