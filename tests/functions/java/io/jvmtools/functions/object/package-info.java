/** Objects and tags. */
@NullMarked
package io.jvmtools.functions.object;

import org.jspecify.annotations.NullMarked;
