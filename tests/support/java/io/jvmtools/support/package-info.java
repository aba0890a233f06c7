/** What tests stand on: child JVMs, threads in known states, copies of the library. */
package io.jvmtools.support;
