package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Probe;
import io.jvmtools.internal.loading.NativeLibrary;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Anybody can call what admits copies of the classes. */
class DoorTest {

  private static Method admit;

  @BeforeAll
  static void open() throws ReflectiveOperationException {
    NativeLibrary.load();
    Class<?> door = Class.forName("jvmtools.Door" + Bridge.ABI, false, null);
    admit = door.getMethod("admit", Class.class);
  }

  @Test
  void itAdmitsTheSameProbeAgain() throws ReflectiveOperationException {
    admit.invoke(null, Probe.class);
    NativeLibrary.load();
  }

  @Test
  void nothingIsRefused() {
    refuses(null);
  }

  @Test
  void aClassWithoutTheNativeIsRefused() {
    refuses(Object.class);
    refuses(int[].class);
  }

  @Test
  void aNativeOfAnObjectIsRefused() {
    refuses(OfAnObject.class);
  }

  static final class OfAnObject {
    native String bind(int abi, String version);
  }

  private static void refuses(Class<?> probe) {
    assertThatThrownBy(() -> admit.invoke(null, probe))
        .isInstanceOf(InvocationTargetException.class)
        .hasCauseInstanceOf(InternalError.class);
  }
}
