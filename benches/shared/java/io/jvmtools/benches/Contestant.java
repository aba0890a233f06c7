package io.jvmtools.benches;

/**
 * One of those that take turns.
 *
 * @param name what it is called in the report
 * @param body what it does
 */
record Contestant(String name, Body body) {}
