/**
 * The JVM Tool Interface (JVM TI) as a Java library: what native agents can ask of the JVM, and
 * what they can do to it, with Java types. No argument crashes the JVM, but where a method says
 * that it can: what is done to running code, or called in place of a native method, is on the
 * caller.
 *
 * <h2>Two doors</h2>
 *
 * <p>{@link io.jvmtools.JvmTools} is for one answer. Its methods are static and carry the names of
 * the specification; they work on a default environment that needs no set-up:
 *
 * <pre>{@code
 * ThreadState state = JvmTools.getThreadState(worker); // "alive, waiting, timed, parked"
 * StackTrace trace = JvmTools.getStackTrace(worker);   // prints like a stack trace
 * System.out.println(JvmTools.capabilities());         // what this JVM can still grant
 * }</pre>
 *
 * <p>{@link io.jvmtools.Jvmti} is for tools: an environment of one's own that holds exactly the
 * capabilities that were asked for, has its own tags, and ends with {@code try}-with-resources:
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
 *   jvmti.objects().setTag(order, 42);
 *   List<Order> found = jvmti.objects().withTag(42, Order.class);
 * }
 * }</pre>
 *
 * <h2>Rooms</h2>
 *
 * <p>What the doors answer stands in the package of its subject, beside the facet of {@link
 * io.jvmtools.Jvmti} that answers it: {@link io.jvmtools.thread}, {@link io.jvmtools.stack}, {@link
 * io.jvmtools.objects}, {@link io.jvmtools.code}, {@link io.jvmtools.system}, {@link
 * io.jvmtools.event}, {@link io.jvmtools.snapshot} and {@link io.jvmtools.dump}.
 *
 * <h2>What holds everywhere</h2>
 *
 * <ul>
 *   <li>Every method may be called from any thread, and any {@link java.lang.Thread} argument may
 *       be a virtual thread unless the method says otherwise.
 *   <li>Unless a method says otherwise it needs no {@link io.jvmtools.Capability} and works in the
 *       {@linkplain io.jvmtools.Phase#LIVE live} phase, which is the phase in which Java code runs.
 *   <li>A {@code null} argument is a {@link java.lang.NullPointerException} that names the
 *       parameter, an argument out of its range an {@link java.lang.IllegalArgumentException} that
 *       shows the value. A closed environment is an {@link java.lang.IllegalStateException}.
 *   <li>What the JVM refuses is a {@link io.jvmtools.JvmtiException}; races that are normal have
 *       types of their own, such as {@link io.jvmtools.ThreadNotAliveException}.
 *   <li>Nothing waits for ever, but for what says so ({@link io.jvmtools.objects.RawMonitor#hold}).
 *       Capabilities are changed, and threads suspended, by a thread of the library, and another
 *       one resumes where a deadline passes; whoever needs them waits at most five seconds in which
 *       they do nothing, not counting the time in which the JVM stands still or he is suspended
 *       himself, and then gets a {@link io.jvmtools.StalledException}. So does, after as long,
 *       whoever needs all threads to stand still while another one has them so. {@link
 *       io.jvmtools.Jvmti#close()} waits half a second at most.
 *   <li>The first use loads the native library, unless the JVM was started with the agent. If that
 *       is not possible, every method throws a {@link io.jvmtools.LibraryLoadException} that lists
 *       everything that was tried.
 *   <li>Values such as {@link io.jvmtools.stack.StackTrace} are immutable, outlive the environment
 *       they came from and keep no class and no class loader alive.
 *   <li>Methods carry {@link io.jvmtools.JvmtiFunction} with the name of the function in the
 *       specification.
 * </ul>
 */
@NullMarked
package io.jvmtools;

import org.jspecify.annotations.NullMarked;
