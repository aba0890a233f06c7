/** Objects that are alive: tags, sizes, hash codes and monitors. */
@NullMarked
package io.jvmtools.object;

import org.jspecify.annotations.NullMarked;
