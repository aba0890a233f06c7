/** Java's side: {@code Java<Stem>} for each stem of which Java itself has something to say. */
package io.jvmtools.oracle.java;
