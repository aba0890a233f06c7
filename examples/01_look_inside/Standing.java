package io.jvmtools.examples;

import io.jvmtools.Jvmti;
import io.jvmtools.code.Instruction;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.stack.StackFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * Where in a method of the program a thread stands: what its variables held, and the bytecodes
 * around the one that it has begun.
 *
 * @param thread its name
 * @param frame the innermost frame that is the program's and not the JDK's, with its variables
 * @param code a few instructions, that one among them
 */
record Standing(String thread, DumpedFrame frame, List<Instruction> code) {

  private static final int AROUND = 2;

  /** Looks at these threads, in this order. */
  static List<Standing> of(Jvmti jvmti, ThreadDump dump, List<String> threads) {
    List<Standing> standing = new ArrayList<>();
    for (String name : threads) {
      DumpedFrame frame = frameOfProgram(dump, name);
      standing.add(new Standing(name, frame, code(jvmti, frame.frame())));
    }
    return standing;
  }

  private static DumpedFrame frameOfProgram(ThreadDump dump, String thread) {
    return dump.threads().stream()
        .filter(dumped -> dumped.name().equals(thread))
        .map(DumpedThread::frames)
        .flatMap(List::stream)
        .filter(frame -> frame.frame().module().isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private static List<Instruction> code(Jvmti jvmti, StackFrame frame) {
    List<Instruction> all = jvmti.methods().bytecodes(frame.method()).orElseThrow().instructions();
    int at = 0;
    while (all.get(at).location() != frame.location()) {
      at++;
    }
    return all.subList(Math.max(0, at - AROUND), Math.min(all.size(), at + AROUND + 1));
  }
}
