/** Events, as native code knows them. */
@NullMarked
package io.jvmtools.internal.event;

import org.jspecify.annotations.NullMarked;
