/**
 * Every function of JVM TI that the API reaches: that it works, by comparison with an independent
 * source, and that it fails well.
 */
package io.jvmtools.functions;
