/** Objects that are alive: tags, sizes, hash codes and monitors; and monitors of no object. */
@NullMarked
package io.jvmtools.objects;

import org.jspecify.annotations.NullMarked;
