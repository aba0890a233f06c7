/** The agent as a part of the executable that creates the JVM. */
package io.jvmtools.embed;
