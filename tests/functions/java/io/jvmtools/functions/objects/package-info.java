/** Objects and tags. */
@NullMarked
package io.jvmtools.functions.objects;

import org.jspecify.annotations.NullMarked;
