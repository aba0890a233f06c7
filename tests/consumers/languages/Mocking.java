import static org.mockito.Mockito.mockStatic;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.thread.ThreadState;
import org.mockito.MockedStatic;

public class Mocking {
  public static void main(String[] args) {
    Thread self = Thread.currentThread();
    ThreadState told = ThreadState.of(2); // terminated
    try (MockedStatic<JvmTools> door = mockStatic(JvmTools.class);
        Jvmti jvmti = Jvmti.open()) {
      door.when(() -> JvmTools.getThreadState(self)).thenReturn(told);
      System.out.println(JvmTools.getThreadState(self));
      System.out.println(told);
      // An environment is not mocked.
      System.out.println(jvmti.threads().state(self).toJavaState());
      System.out.println(self.getState());
    }
    System.out.println(JvmTools.getThreadState(self).toJavaState());
    System.out.println(self.getState());
  }
}
