package io.jvmtools;

import io.jvmtools.event.EarlyEvents;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.event.EarlyFacts;
import io.jvmtools.internal.event.EventNatives;
import io.jvmtools.internal.loading.Attacher;
import io.jvmtools.internal.loading.NativeLibrary;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The native library as an agent: where its file is, how it came into this JVM, and how to bring it
 * into another.
 *
 * <p>A JVM that starts with the agent can grant every capability it has, those that are {@link
 * Capability#costly() costly} if the options name them:
 *
 * <pre>{@code
 * new ProcessBuilder("java", "-agentpath:" + Agent.libraryPath(), "-jar", "app.jar").start();
 * }</pre>
 *
 * <p>Options are {@code key=value} pairs, separated by commas: {@code prepare=can_pop_frame+…}, or
 * {@code prepare=debugging} and {@code prepare=tracing} for all that such a tool needs, makes more
 * capabilities obtainable, {@code hold=can_suspend+…} keeps some for this agent, and {@code
 * run=com.acme.Main} names a class whose {@code main} runs once the JVM has started, and {@code
 * property=NAME=VALUE} sets a property that the JVM has already, by {@code -D} for instance, before
 * it reads it. An attached agent comes too late for all of them and takes none: it is refused with
 * any of them.
 *
 * <p>{@code record=thread_start+native_method_bind} records what happens before the JVM is
 * initialised, when no Java can run yet, for {@link #earlyEvents()}. There are {@code
 * class_file_load_hook}, {@code class_load}, {@code class_prepare}, {@code thread_start}, {@code
 * native_method_bind}, {@code vm_start} and {@code vm_init}. The JVM tells of the binding of native
 * methods from its very beginning on ({@link Phase#PRIMORDIAL}), of all others once it has started
 * ({@link Phase#START}); of class files from the beginning on, too, with {@code early_class_hooks}
 * in place of {@code class_file_load_hook}, which has it do without its archive of classes and
 * start more slowly; and with {@code early_vm_start} in place of {@code vm_start} the start phase
 * begins sooner, so that more is told of. What is recorded is of the kind {@code
 * CLASS_FILE_LOAD_HOOK} or {@code VM_START} all the same.
 */
public final class Agent {

  private Agent() {}

  /**
   * The file of the native library, for {@code -agentpath}.
   *
   * @return the file of the library that runs in this JVM; if there is none yet, or if the library
   *     is part of the executable, the file that would be loaded, extracted from the jar if need be
   * @throws LibraryLoadException if there is no library for this platform, or nowhere to put it
   */
  public static Path libraryPath() {
    return NativeLibrary.file();
  }

  /**
   * How the native library came into this JVM. Loads it if it is not there yet.
   *
   * @return the way
   * @throws LibraryLoadException if the library cannot be loaded
   */
  public static AgentOrigin origin() {
    NativeLibrary.load();
    return AgentOrigin.of(GeneralNatives.origin());
  }

  /**
   * What has happened before this JVM was initialised, as far as the option {@code record} has
   * asked for it. Of several copies of these classes each reads the same, as often as it likes.
   *
   * @return what was recorded; nothing, of no kinds, if the JVM has not started with the agent, or
   *     without that option
   * @throws LibraryLoadException if the library cannot be loaded
   */
  public static EarlyEvents earlyEvents() {
    NativeLibrary.load();
    return EarlyReader.read((EarlyFacts) EventNatives.earlyEvents());
  }

  /**
   * Loads the agent into another JVM. JDK 21 and later print a warning there, unless it was started
   * with {@code -XX:+EnableDynamicAgentLoading}.
   *
   * <p>From JDK 25 on each use of the JDK's attach mechanism, this or another, leaves one socket
   * open in the process that attaches, until that ends.
   *
   * @param pid the process id of a JVM of the same user
   * @throws AttachFailedException if that is not possible; the message says why
   * @throws LibraryLoadException if there is no library for this platform, or nowhere to put it
   * @throws IllegalArgumentException if the process id is not positive
   */
  public static void attach(long pid) {
    if (pid <= 0) {
      throw new IllegalArgumentException("pid must be positive: " + pid);
    }
    attach(pid, NativeLibrary.file());
  }

  private static void attach(long pid, @Nullable Path library) {
    try {
      Attacher.attach(pid, library, "");
    } catch (NoClassDefFoundError absent) {
      throw new AttachFailedException(
          pid,
          "com.sun.tools.attach cannot be seen from here: use a JDK, --add-modules jdk.attach if"
              + " the application is modular, and in an OSGi bundle that embeds the jar"
              + " Import-Package: com.sun.tools.attach",
          absent);
    }
  }

  /**
   * Loads the agent into this JVM, which must have been started with {@code
   * -Djdk.attach.allowAttachSelf=true}. A library that runs here already becomes the agent, also
   * one that is part of the executable.
   *
   * @throws AttachFailedException if that is not possible; the message says why
   * @throws LibraryLoadException if there is no library for this platform, or nowhere to put it
   */
  public static void attachSelf() {
    attach(
        ProcessHandle.current().pid(),
        NativeLibrary.isInExecutable() ? null : NativeLibrary.file());
  }
}
