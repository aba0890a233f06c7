/** Every two operations at once, and each of them ten thousand times. */
package io.jvmtools.pairs;
