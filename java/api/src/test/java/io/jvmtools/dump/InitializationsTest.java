package io.jvmtools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.code.FabricatedMethod;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.code.MethodFacts;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.stack.FabricatedStack;
import io.jvmtools.stack.StackTrace;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InitializationsTest {

  /** Of reflection each JDK has natives of its own. */
  private static final int OF_OTHERS = 2;

  @BeforeAll
  static void load() {
    NativeLibrary.load();
  }

  @Test
  void whatInitializesUnseenIsThereAndNative() {
    int there = 0;
    for (String name : Initializations.NATIVES) {
      int dot = name.lastIndexOf('.');
      Optional<Class<?>> type = find(name.substring(0, dot));
      if (type.isPresent()) {
        assertThat(type.get().getDeclaredMethods())
            .filteredOn(method -> method.getName().equals(name.substring(dot + 1)))
            .as(name)
            .isNotEmpty()
            .allMatch(method -> Modifier.isNative(method.getModifiers()));
        there++;
      }
    }
    assertThat(there).isGreaterThanOrEqualTo(Initializations.NATIVES.size() - OF_OTHERS);
  }

  @Test
  void whoIsInANativeMayWaitForWhatAnotherInitializes() {
    Initializations initializations = new Initializations();
    initializations.add(0, frame(Optional.class, Initializations.INITIALIZER, false));
    initializations.addRunning(1, FabricatedStack.of(new JvmMethod[0], new long[0]));
    initializations.addRunning(2, frame(Class.class, "forName0", true));
    assertThat(initializations.hasOne(0)).isTrue();
    assertThat(initializations.mayWait(0, true)).as("it runs itself").isFalse();
    assertThat(initializations.mayWait(1, true)).as("no frame of Java").isTrue();
    assertThat(initializations.mayWait(2, true)).as("a native that initialises").isTrue();
    assertThat(initializations.mayWait(3, true)).as("nobody").isFalse();
  }

  @Test
  void whereNobodyIsSeenToInitializeOnlyUnseenFramesAreADoubt() {
    Initializations initializations = new Initializations();
    initializations.addRunning(1, FabricatedStack.of(new JvmMethod[0], new long[0]));
    initializations.addRunning(2, frame(Class.class, "forName0", true));
    assertThat(initializations.mayWait(2, true)).isFalse();
    assertThat(initializations.mayWait(2, false)).isTrue();
    assertThat(initializations.mayWait(1, false)).isFalse();
  }

  @Test
  void interfacesAreInitializedWithClassesIfTheyHaveCode() {
    ClassUses uses = new ClassUses();
    assertThat(uses.hasCode(Comparator.class)).as("default methods").isTrue();
    assertThat(uses.hasCode(Runnable.class)).as("none").isFalse();
    assertThat(uses.hasCode(ProcessHandle.Info.class)).as("none").isFalse();
  }

  private static StackTrace frame(Class<?> type, String name, boolean isNative) {
    MethodFacts facts =
        new MethodFacts(
            name.hashCode(), type, name, "()V", null, 0, isNative, false, null, new int[0]);
    return FabricatedStack.of(
        new JvmMethod[] {FabricatedMethod.of(facts)}, new long[] {isNative ? -1 : 0});
  }

  private static Optional<Class<?>> find(String name) {
    try {
      return Optional.of(Class.forName(name, false, null));
    } catch (ClassNotFoundException ofAnotherJdk) {
      return Optional.empty();
    }
  }
}
