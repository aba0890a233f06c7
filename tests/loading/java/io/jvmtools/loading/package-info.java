/** Every way to the library, where the jar lies as users put it: each in a JVM of its own. */
package io.jvmtools.loading;
