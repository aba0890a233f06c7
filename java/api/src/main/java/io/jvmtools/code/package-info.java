/** Modules, classes, and what is in them: methods, with their lines and bytecodes, and fields. */
@NullMarked
package io.jvmtools.code;

import org.jspecify.annotations.NullMarked;
