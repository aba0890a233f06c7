package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.stack.StackFrame;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Type;

/** Which objects are of a variable's type, where several classes have its name. */
@OnlyUnderTheAgent
class NamesakesTest {

  private static final int TYPE_MISMATCH = 34;

  @Test
  void aNameMeansWhatTheLoaderOfTheMethodKnows() {
    ClassFiles.Loader another = new ClassFiles.Loader("another");
    try (Kept kept = Kept.platform(next -> another.relay(ClassFiles.of(Befriended.class), next));
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keep");
      // Its own, and its supertype, which it has got from the tests.
      assertTaken(jvmti, frame, "own", kept.keeper());
      jvmti.locals().setNull(frame, "own");
      assertTaken(jvmti, frame, "named", kept.keeper());
      jvmti.locals().setNull(frame, "named");
      assertTaken(jvmti, frame, "named", new Befriended(() -> {}));
      assertTaken(jvmti, frame, "several", new Befriended[1]);
      jvmti.locals().setNull(frame, "named");
      jvmti.locals().setNull(frame, "several");
      // Another one's.
      assertRefused(jvmti, frame, "own", new Befriended(() -> {}));
      assertRefused(jvmti, frame, "named", new Namesake().object());
      assertRefused(jvmti, frame, "several", new Namesake().array());
      assertRefused(jvmti, frame, "several", new Friend());
      jvmti.threads().resume(kept.thread());
    }
  }

  @Test
  void aNameOfTheClassPathIsNotThatOfALoaderBelow() {
    try (Kept kept = Kept.platform(Befriended::new);
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keep");
      assertRefused(jvmti, frame, "named", new Namesake().object());
      assertTaken(jvmti, frame, "named", kept.keeper());
      jvmti.threads().resume(kept.thread());
    }
  }

  private static void assertTaken(Jvmti jvmti, StackFrame frame, String variable, Object value) {
    assertThatCode(() -> jvmti.locals().set(frame, variable, value)).doesNotThrowAnyException();
  }

  private static void assertRefused(Jvmti jvmti, StackFrame frame, String variable, Object value) {
    assertThatThrownBy(() -> jvmti.locals().set(frame, variable, value))
        .asInstanceOf(type(JvmtiException.class))
        .extracting(JvmtiException::error)
        .isEqualTo(JvmtiError.of(TYPE_MISMATCH));
  }

  /** Defines another class of the name of {@link Friend}. */
  private static final class Namesake extends ClassLoader {

    private final Class<?> named;

    Namesake() {
      super(null);
      Map<String, String> names =
          Map.of(Type.getInternalName(Friend.Other.class), Type.getInternalName(Friend.class));
      byte[] file = ClassFiles.renamed(ClassFiles.of(Friend.Other.class), names);
      this.named = defineClass(null, file, 0, file.length);
    }

    Object object() {
      return instance(named);
    }

    Object array() {
      return java.lang.reflect.Array.newInstance(named, 1);
    }
  }

  private static Object instance(Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
