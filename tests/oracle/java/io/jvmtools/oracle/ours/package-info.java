/** The library's side, through its public API: {@code Ours<Stem>} for each stem. */
package io.jvmtools.oracle.ours;
