/** The VM's side: the natives of the agent in {@code tests/oracle/cpp}. */
package io.jvmtools.oracle.vm;
