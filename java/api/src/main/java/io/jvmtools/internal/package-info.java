/**
 * What every room of the library stands on: the probe, what crosses the native boundary, and how
 * one room makes something for another. No package of {@code internal} is exported.
 */
@NullMarked
package io.jvmtools.internal;

import org.jspecify.annotations.NullMarked;
