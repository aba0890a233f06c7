/**
 * The differential oracle: the same scenarios, observed by a C++ agent through {@code jvmti.h}, by
 * the library, and by Java itself where Java has an answer.
 */
package io.jvmtools.oracle;
