package io.jvmtools.functions.code;

import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_MODIFICATION_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.Watches;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Relay;
import io.jvmtools.support.GcUntil;
import java.lang.ref.WeakReference;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Watched fields: SetFieldAccessWatch, ClearFieldAccessWatch, SetFieldModificationWatch and
 * ClearFieldModificationWatch, and whose they are.
 */
@OnlyUnderTheAgent
class WatchesTest {

  private static final int DUPLICATE = 40;
  private static final int NOT_FOUND = 41;

  private static Jvmti open() {
    return Jvmti.open(CAN_GENERATE_FIELD_ACCESS_EVENTS, CAN_GENERATE_FIELD_MODIFICATION_EVENTS);
  }

  /** Whose numbers in the JVM are alike. */
  private static final class One {
    private int first;
    private static String shared = "";
  }

  private static final class Other {
    private int first;
    private static String shared = "";
  }

  private static JvmField field(Class<?> type, String name) {
    try {
      return JvmField.of(type.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void readsAndWritesAreWatchedEachForItself() {
    try (Jvmti jvmti = open()) {
      Watches watches = jvmti.watches();
      List<JvmField> all =
          List.of(
              field(One.class, "first"),
              field(Other.class, "first"),
              field(Other.class, "shared"),
              field(One.class, "shared"));
      for (JvmField field : all) {
        watches.setReads(field);
        assertRefused(DUPLICATE, () -> watches.setReads(field));
        assertRefused(NOT_FOUND, () -> watches.clearWrites(field));
      }
      assertThat(watches.allReads()).isEqualTo(all);
      assertThat(watches.allWrites()).isEmpty();
      watches.setWrites(all.get(0));
      assertRefused(DUPLICATE, () -> watches.setWrites(all.get(0)));
      One one = new One();
      one.first = 3;
      One.shared += one.first;
      assertThat(One.shared).endsWith("3");
      watches.clearReads(all.get(0));
      assertRefused(NOT_FOUND, () -> watches.clearReads(all.get(0)));
      assertThat(watches.allReads()).isEqualTo(all.subList(1, 4));
      assertThat(watches.allWrites()).containsExactly(all.get(0));
      watches.clearWrites(all.get(0));
      assertThat(watches.allWrites()).isEmpty();
    }
  }

  @Test
  void nullsAreRefusedByName() {
    try (Jvmti jvmti = open()) {
      Watches watches = jvmti.watches();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> watches.setReads(null),
              () -> watches.clearReads(null),
              () -> watches.setWrites(null),
              () -> watches.clearWrites(null))) {
        assertThatNullPointerException().isThrownBy(call).withMessage("field");
      }
    }
  }

  /** The JVM would keep them, and the next environment could not watch the field. */
  @Test
  void whatIsLeftEndsWithTheEnvironmentAndWithTheCapability() {
    JvmField field = field(One.class, "first");
    Jvmti closed = open();
    closed.watches().setReads(field);
    closed.watches().setWrites(field);
    closed.close();
    assertThatThrownBy(() -> closed.watches().allReads())
        .isExactlyInstanceOf(IllegalStateException.class);
    try (Jvmti giving = open();
        Jvmti taking = Jvmti.open()) {
      giving.watches().setReads(field);
      giving.watches().setWrites(field);
      giving.relinquish(CAN_GENERATE_FIELD_ACCESS_EVENTS);
      assertThat(giving.watches().allReads()).isEmpty();
      assertThat(giving.watches().allWrites()).containsExactly(field);
      taking.add(CAN_GENERATE_FIELD_ACCESS_EVENTS);
      taking.watches().setReads(field);
      assertThat(taking.watches().allReads()).containsExactly(field);
    }
  }

  @Test
  void aClassIsNotKeptByAWatch() {
    try (Jvmti jvmti = open()) {
      GcUntil.cleared(watched(jvmti));
      assertThat(jvmti.watches().allReads()).isEmpty();
      assertThat(jvmti.watches().allWrites()).isEmpty();
    }
  }

  private static WeakReference<Object> watched(Jvmti jvmti) {
    Runnable relay =
        new ClassFiles.Loader("short-lived").relay(ClassFiles.of(Relay.class), () -> {});
    JvmField next = field(relay.getClass(), "next");
    jvmti.watches().setReads(next);
    jvmti.watches().setWrites(next);
    return new WeakReference<>(relay.getClass());
  }

  private static void assertRefused(int code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(JvmtiException.class))
        .extracting(JvmtiException::error)
        .isEqualTo(JvmtiError.of(code));
  }
}
