/** What tests need on other platforms than the one that builds them. */
@NullMarked
package io.jvmtools.platforms;

import org.jspecify.annotations.NullMarked;
