package io.jvmtools.oracle.events;

/** A class that is loaded anew by each actor. */
final class ActedLoaded {

  private ActedLoaded() {}
}
