/** How the library comes, lives and goes: each scenario in a JVM of its own. */
package io.jvmtools.lifecycle;
