import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import java.time.Duration
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread

fun main() {
  val self = Thread.currentThread()
  println(JvmTools.getThreadState(self).toJavaState())
  println(self.state)

  val parked = thread(isDaemon = true) { while (true) LockSupport.park() }
  while (parked.state != Thread.State.WAITING) Thread.onSpinWait()
  Jvmti.open(Capability.CAN_SUSPEND).use { jvmti ->
    val (ours, javas) = jvmti.threads().withSuspended(parked, Duration.ofMinutes(1)) {
      jvmti.frames().stackTrace(parked).first() to parked.stackTrace.first()
    }
    println(ours.methodName())
    println(javas.methodName)
  }
}
