/**
 * Modules, classes and other class files for them, and what is in them: methods, with their lines
 * and bytecodes, fields, breakpoints and watches.
 */
@NullMarked
package io.jvmtools.code;

import org.jspecify.annotations.NullMarked;
