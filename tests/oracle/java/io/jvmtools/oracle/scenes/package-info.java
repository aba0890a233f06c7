/**
 * What is played before each observer: the scenarios of each stem.
 *
 * <p>Those that set up one thing for several stems stand in a file of that: stacks, monitors,
 * suspension.
 */
package io.jvmtools.oracle.scenes;
