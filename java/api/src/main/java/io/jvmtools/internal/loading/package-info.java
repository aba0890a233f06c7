/** The loader: how the native library is found, loaded and tied to these classes. */
@NullMarked
package io.jvmtools.internal.loading;

import org.jspecify.annotations.NullMarked;
