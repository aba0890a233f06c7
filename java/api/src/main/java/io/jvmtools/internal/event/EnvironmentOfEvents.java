package io.jvmtools.internal.event;

/** Stands for what answers the environment whose events a facet tells; that hands it over. */
public final class EnvironmentOfEvents {

  private EnvironmentOfEvents() {}
}
