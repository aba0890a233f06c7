import io.jvmtools.*
import java.util.concurrent.locks.LockSupport

var self = Thread.currentThread()
System.out.println(JvmTools.getThreadState(self).toJavaState())
System.out.println(self.getState())

var parked = new Thread(() -> { while (true) LockSupport.park(); })
parked.setDaemon(true)
parked.start()
while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait()
// A debugger runs this, and holds CAN_SUSPEND.
var jvmti = Jvmti.open()
System.out.println(jvmti.frames().stackTrace(parked).get(0).methodName())
System.out.println(parked.getStackTrace()[0].getMethodName())
jvmti.close()
/exit
