package consumer;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.stack.StackFrame;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/** Prints which bundle the classes are from, and what the static door and an environment answer. */
public class Activator implements BundleActivator {
  @Override
  public void start(BundleContext context) {
    System.out.println(FrameworkUtil.getBundle(JvmTools.class).getSymbolicName());
    Thread self = Thread.currentThread();
    System.out.println(JvmTools.getThreadState(self).toJavaState());
    try (Jvmti jvmti = Jvmti.open()) {
      StackFrame frame = jvmti.frames().stackTrace(self).get(0);
      System.out.println(frame.className() + '.' + frame.methodName());
    }
  }

  @Override
  public void stop(BundleContext context) {}
}
