/**
 * The JVM Tool Interface, for Java; the heap is to come.
 *
 * <p>Start at {@link io.jvmtools.JvmTools} for one answer, at {@link io.jvmtools.Jvmti} for a tool.
 */
module io.jvmtools {
  requires transitive java.instrument;
  requires static org.jspecify;
  requires static java.management;
  requires static jdk.attach;

  exports io.jvmtools;
  exports io.jvmtools.code;
  exports io.jvmtools.dump;
  exports io.jvmtools.event;
  exports io.jvmtools.objects;
  exports io.jvmtools.snapshot;
  exports io.jvmtools.stack;
  exports io.jvmtools.system;
  exports io.jvmtools.thread;
}
