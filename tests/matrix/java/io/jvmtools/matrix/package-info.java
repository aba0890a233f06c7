/** The same facts on every way a JVM can lay out and collect its memory. */
package io.jvmtools.matrix;
