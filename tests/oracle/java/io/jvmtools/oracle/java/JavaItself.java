package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.Observer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * What Java says itself, for the functions to which it has a counterpart: one interface for each
 * stem that has some. The others have no answer.
 *
 * <p>It knows less: a state without bits, frames without locations, no frames of the library's kind
 * of virtual thread. {@code OracleTest} brings the VM's answers down to that before it compares.
 */
public interface JavaItself
    extends Observer,
        JavaClass,
        JavaField,
        JavaFrame,
        JavaGeneral,
        JavaMethod,
        JavaModule,
        JavaMonitor,
        JavaMemory,
        JavaObject,
        JavaSystem,
        JavaThread,
        JavaThreadGroup,
        JavaTimer {

  static Observer open() {
    ClassLoader loader = JavaItself.class.getClassLoader();
    Class<?>[] type = {JavaItself.class};
    return (Observer) Proxy.newProxyInstance(loader, type, JavaItself::answer);
  }

  private static Object answer(Object self, Method function, Object @Nullable [] arguments)
      throws Throwable {
    if (!function.isDefault()) {
      throw new NoAnswer();
    }
    return InvocationHandler.invokeDefault(self, function, arguments);
  }
}
