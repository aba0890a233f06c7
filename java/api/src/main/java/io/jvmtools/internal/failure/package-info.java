/** Failures: which exception stands for what the native library reports. */
@NullMarked
package io.jvmtools.internal.failure;

import org.jspecify.annotations.NullMarked;
