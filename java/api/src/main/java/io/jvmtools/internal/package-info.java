/** The native boundary and the loader. Not exported: nothing here is for users. */
@NullMarked
package io.jvmtools.internal;

import org.jspecify.annotations.NullMarked;
