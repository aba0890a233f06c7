/** The thread dump. */
@NullMarked
package io.jvmtools.functions.dump;

import org.jspecify.annotations.NullMarked;
