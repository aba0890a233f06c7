import io.jvmtools.{Capability, JvmTools, Jvmti}
import java.time.Duration
import java.util.concurrent.locks.LockSupport

object Main {
  def main(args: Array[String]): Unit = {
    val self = Thread.currentThread()
    println(JvmTools.getThreadState(self).toJavaState())
    println(self.getState())

    val parked = new Thread(() => while (true) LockSupport.park())
    parked.setDaemon(true)
    parked.start()
    while (parked.getState() != Thread.State.WAITING) Thread.onSpinWait()
    val jvmti = Jvmti.open(Capability.CAN_SUSPEND)
    try {
      val (ours, javas) = jvmti
        .threads()
        .withSuspended(
          parked,
          Duration.ofMinutes(1),
          () => (jvmti.frames().stackTrace(parked).get(0), parked.getStackTrace().head)
        )
      println(ours.methodName())
      println(javas.getMethodName())
    } finally jvmti.close()
  }
}
