package io.jvmtools;

/**
 * The JVM Tool Interface for one answer: static methods with the names of the specification.
 *
 * <pre>{@code
 * ThreadState state = JvmTools.getThreadState(worker);          // "alive, waiting, timed, parked"
 * StackTrace trace = JvmTools.getStackTrace(worker);            // prints like a stack trace
 * long cpu = JvmTools.getThreadCpuTimeNanos(worker);
 *
 * JvmTools.setTag(order, 42);
 * List<Order> found = JvmTools.getObjectsWithTag(42, Order.class);
 * long bytes = JvmTools.getObjectSize(order);
 *
 * System.out.println(JvmTools.capabilities());
 * }</pre>
 *
 * <p>There is nothing to set up. The methods share an environment that is opened by the first call
 * and adds what a method needs when it is first needed; a capability that only one environment can
 * hold it has only while a call that needs it is inside, or as long as threads are suspended that
 * it has suspended. Tags are shared by everybody who uses this copy of the class: a tool opens an
 * environment of its own with {@link Jvmti#open(Capability...)}.
 *
 * <p>On the calling thread the frames of this library are left out of stacks: depth 0 is the method
 * that called it.
 */
public final class JvmTools extends ThreadFunctions {

  private JvmTools() {}
}
