import io.jvmtools.{Capability, JvmTools, Jvmti}
import io.jvmtools.event._
import io.jvmtools.objects._
import java.time.Duration
import java.util.concurrent.CompletableFuture
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

      val told = new CompletableFuture[Thread]()
      val started = new Thread(() => ())
      val starts = jvmti
        .events()
        .on(
          EventTypes.THREAD_START,
          EventFilter.ANY.perSecond(1000),
          (event: ThreadStartEvent) => if (event.thread() == started) told.complete(event.thread())
        )
      started.start()
      println(told.get().getName())
      println(started.getName())
      starts.close()
      val both: RawMonitor = jvmti.rawMonitors().create("both")
      println(both.hold(() => 42))
      println(42)
    } finally jvmti.close()
  }
}
