/**
 * Events as the VM tells a C++ agent of them, and as the library tells listeners: {@code
 * cpp/events.cpp} and {@link io.jvmtools.oracle.events.OurRecorder}, of one thread that does what
 * {@link io.jvmtools.oracle.events.EventScenes} has for each.
 */
package io.jvmtools.oracle.events;
