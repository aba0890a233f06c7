import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import java.time.Duration
import java.util.concurrent.locks.LockSupport

def self = Thread.currentThread()
println JvmTools.getThreadState(self).toJavaState()
println self.state

def parked = Thread.startDaemon { while (true) LockSupport.park() }
while (parked.state != Thread.State.WAITING) Thread.onSpinWait()
Jvmti.open(Capability.CAN_SUSPEND).withCloseable { jvmti ->
  def (ours, javas) = jvmti.threads().withSuspended(parked, Duration.ofMinutes(1)) {
    [jvmti.frames().stackTrace(parked).first(), parked.stackTrace.first()]
  }
  println ours.methodName()
  println javas.methodName
}
