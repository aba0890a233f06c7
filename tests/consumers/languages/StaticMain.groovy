import groovy.transform.CompileStatic
import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import java.time.Duration
import java.util.concurrent.locks.LockSupport

@CompileStatic
class StaticMain {
  static void main(String[] args) {
    Thread self = Thread.currentThread()
    println JvmTools.getThreadState(self).toJavaState()
    println self.state

    Thread parked = Thread.startDaemon { while (true) LockSupport.park() }
    while (parked.state != Thread.State.WAITING) Thread.onSpinWait()
    Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)
    try {
      List<String> both = jvmti.threads().withSuspended(parked, Duration.ofMinutes(1)) {
        [jvmti.frames().stackTrace(parked).first().methodName(), parked.stackTrace.first().methodName]
      }
      both.each { println it }
    } finally {
      jvmti.close()
    }
  }
}
