package io.jvmtools.lifecycle;

import io.jvmtools.Agent;
import io.jvmtools.AttachFailedException;
import io.jvmtools.internal.loading.Attacher;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import java.nio.file.Path;

/** A child that attaches our agent to another JVM: arguments are the process id and the options. */
final class AttachTo {

  private AttachTo() {}

  /** Attaches this very file. */
  static ChildResult with(Path library, long pid, String options) {
    return ChildJvm.of(AttachTo.class)
        .jvmArgs("-Djvmtools.library.path=" + library)
        .args(Long.toString(pid), options)
        .run()
        .succeeds();
  }

  public static void main(String[] args) {
    try {
      long pid = Long.parseLong(args[0]);
      if (args[1].isEmpty()) {
        Agent.attach(pid);
      } else {
        Attacher.attach(pid, Agent.libraryPath(), args[1]);
      }
      System.out.println("attached");
    } catch (AttachFailedException refused) {
      System.out.println("refused: " + refused.getMessage());
    }
  }
}
