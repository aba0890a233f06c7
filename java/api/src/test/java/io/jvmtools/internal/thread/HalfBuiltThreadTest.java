package io.jvmtools.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import org.junit.jupiter.api.Test;

/** What the JVM lists while a native thread attaches: a thread whose constructor has not run. */
class HalfBuiltThreadTest {

  @Test
  void aThreadWhoseConstructorHasNotRunIsNotShown() throws Exception {
    assertThat(ThreadReferences.isBuilt(withoutConstructor())).isFalse();
  }

  @Test
  void everyOtherThreadIs() {
    assertThat(ThreadReferences.isBuilt(Thread.currentThread())).isTrue();
    assertThat(ThreadReferences.isBuilt(new Thread(() -> {}))).isTrue();
  }

  /** As serialization makes objects; the factory is of module jdk.unsupported. */
  private static Thread withoutConstructor() throws Exception {
    Class<?> type = Class.forName("sun.reflect.ReflectionFactory");
    Object factory = type.getMethod("getReflectionFactory").invoke(null);
    Object constructor =
        type.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
            .invoke(factory, Thread.class, Object.class.getDeclaredConstructor());
    return (Thread) ((Constructor<?>) constructor).newInstance();
  }
}
