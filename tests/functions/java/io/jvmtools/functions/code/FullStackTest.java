package io.jvmtools.functions.code;

import io.jvmtools.Jvmti;
import io.jvmtools.code.Modules;
import io.jvmtools.functions.OwnModule;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whoever changes a module with hardly any stack left does no harm: if the JDK's own code began
 * then for the first time, no AddModuleReads, AddModuleExports, AddModuleOpens, AddModuleUses or
 * AddModuleProvides would succeed any more.
 */
@Tag(UnderTheAgentTest.ONCE)
class FullStackTest {

  @Test
  void modulesCanBeChangedAfterwards() {
    ChildJvm.of(Program.class).run().succeeds();
  }

  static final class Program {

    /** More than any of the calls takes, so that the last ones have enough. */
    private static final int LEVELS = 4_000;

    private final Modules modules;
    private final Module own = OwnModule.named("acme.full");
    private final Module other = OwnModule.named("acme.other");
    private final Class<?> provider = OwnModule.provider(own);
    private int levels;
    private int overflows;
    private int successes;

    Program(Modules modules) {
      this.modules = modules;
    }

    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        Program program = new Program(jvmti.modules());
        // So that what overflows is not our own loading.
        jvmti.modules().isModifiable(program.own);
        program.fill();
        program.change();
        require(program.own.canRead(program.other), "it reads");
        require(program.own.isOpen("acme.full", program.other), "it opens");
        require(program.own.canUse(Runnable.class), "it uses");
        require(program.overflows > 0 && program.successes > 0, "there were levels of both kinds");
      }
    }

    /** To the end of the stack, and from there each level tries. */
    private void fill() {
      try {
        fill();
      } catch (StackOverflowError end) {
        // Now the levels begin.
      }
      if (levels++ < LEVELS) {
        try {
          change();
          successes++;
        } catch (StackOverflowError early) {
          overflows++;
        }
      }
    }

    private void change() {
      modules.addReads(own, other);
      modules.addExports(own, "acme.full", other);
      modules.addOpens(own, "acme.full", other);
      modules.addUses(own, Runnable.class);
      modules.addProvides(own, Runnable.class, provider);
    }

    private static void require(boolean condition, String what) {
      if (!condition) {
        throw new IllegalStateException("It is not so that " + what);
      }
    }
  }
}
