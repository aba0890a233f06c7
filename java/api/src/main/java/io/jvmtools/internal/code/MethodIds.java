package io.jvmtools.internal.code;

/** Stands for what makes ids of methods: what the JVM knows them by, which users do not have. */
public final class MethodIds {

  private MethodIds() {}
}
