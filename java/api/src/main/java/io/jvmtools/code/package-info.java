/** Modules, classes, and what is in them: methods, with their lines and sources. */
@NullMarked
package io.jvmtools.code;

import org.jspecify.annotations.NullMarked;
