/** What is there, counted against the specification, and rules that the whole tree keeps. */
package io.jvmtools.coverage;
