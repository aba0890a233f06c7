package io.jvmtools.internal.loading;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.jvmtools.AttachFailedException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Everything that needs the module {@code jdk.attach}, which a Java runtime may lack. */
public final class Attacher {

  private Attacher() {}

  /**
   * Loads the agent into a JVM.
   *
   * @param pid its process id
   * @param library the agent's file; null if it is part of that JVM's executable
   * @param options the agent's options
   */
  public static void attach(long pid, @Nullable Path library, String options) {
    try {
      VirtualMachine target = VirtualMachine.attach(Long.toString(pid));
      try {
        if (library == null) {
          target.loadAgentLibrary(LibraryPath.LIBRARY, options);
        } else {
          target.loadAgentPath(library.toString(), options);
        }
      } finally {
        target.detach();
      }
    } catch (AttachNotSupportedException | IOException refused) {
      throw new AttachFailedException(pid, explain(pid, refused), refused);
    } catch (AgentLoadException unloadable) {
      throw new AttachFailedException(
          pid,
          library == null
              ? unloadable.getMessage()
              : unloadable.getMessage()
                  + "; that process must be able to read and execute "
                  + library
                  + " (-Djvmtools.extract.dir names another directory)",
          unloadable);
    } catch (AgentInitializationException refused) {
      throw new AttachFailedException(
          pid,
          "the agent refused to start there, with code "
              + refused.returnValue()
              + "; its reason is on the standard error of that process",
          refused);
    }
  }

  private static String explain(long pid, Exception refused) {
    if (pid == ProcessHandle.current().pid()) {
      return refused.getMessage()
          + "; a JVM can attach to itself only with -Djdk.attach.allowAttachSelf=true";
    }
    if (ProcessHandle.of(pid).isEmpty()) {
      return "there is no such process";
    }
    return refused.getMessage()
        + "; the process must be a JVM of the same user, in the same container, and not started"
        + " with -XX:+DisableAttachMechanism";
  }
}
