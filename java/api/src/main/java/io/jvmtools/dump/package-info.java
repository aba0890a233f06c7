/** Thread dumps: what all threads do at one moment, and which of them wait for each other. */
@NullMarked
package io.jvmtools.dump;

import org.jspecify.annotations.NullMarked;
