package io.jvmtools.event;

import io.jvmtools.Agent;

/** What can happen before the JVM is ready. {@link Agent} says how it is recorded. */
public enum EarlyEventKind {
  /** A class is about to be made of a class file. */
  CLASS_FILE_LOAD_HOOK,
  /** A class has been made of its class file. */
  CLASS_LOAD,
  /** A class is prepared: its methods and fields are known, and nothing of it has run. */
  CLASS_PREPARE,
  /** A thread begins. */
  THREAD_START,
  /** A native method is bound to its code. */
  NATIVE_METHOD_BIND,
  /** The JVM has started: JNI can be used from here on. */
  VM_START,
  /** The JVM is initialised: Java can run from here on. It is the last one. */
  VM_INIT
}
