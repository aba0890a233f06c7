import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.thread.ThreadState;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

public class Reflecting {
  public static void main(String[] args) throws Throwable {
    Thread self = Thread.currentThread();
    Method getThreadState = JvmTools.class.getMethod("getThreadState", Thread.class);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodHandle unreflected = lookup.unreflect(getThreadState);
    System.out.println(((ThreadState) getThreadState.invoke(null, self)).toJavaState());
    System.out.println(self.getState());
    System.out.println(((ThreadState) unreflected.invoke(self)).toJavaState());
    System.out.println(self.getState());

    Thread parked = new Thread(Reflecting::park);
    parked.setDaemon(true);
    parked.start();
    while (parked.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    MethodType type = MethodType.methodType(StackTrace.class, Thread.class);
    MethodHandle staticDoor = lookup.findStatic(JvmTools.class, "getStackTrace", type);
    MethodHandle facet = lookup.findVirtual(Frames.class, "stackTrace", type);
    System.out.println(top((StackTrace) staticDoor.invoke(parked)));
    System.out.println(parked.getStackTrace()[0].getMethodName());
    try (Jvmti jvmti = Jvmti.open()) {
      System.out.println(top((StackTrace) facet.invoke(jvmti.frames(), parked)));
      System.out.println(parked.getStackTrace()[0].getMethodName());
    }
  }

  private static void park() {
    while (true) {
      LockSupport.park();
    }
  }

  private static String top(StackTrace trace) {
    return trace.get(0).methodName();
  }
}
