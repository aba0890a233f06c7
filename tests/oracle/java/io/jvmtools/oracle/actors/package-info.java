/** The threads that are asked about: platform and virtual ones, each in a known place. */
package io.jvmtools.oracle.actors;
