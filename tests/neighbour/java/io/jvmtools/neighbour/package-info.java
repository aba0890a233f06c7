/** Real programs beside a hostile neighbour, and what becomes of both. */
package io.jvmtools.neighbour;
