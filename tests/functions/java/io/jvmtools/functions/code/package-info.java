/** Classes and methods. */
@NullMarked
package io.jvmtools.functions.code;

import org.jspecify.annotations.NullMarked;
