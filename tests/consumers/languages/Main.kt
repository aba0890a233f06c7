import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import io.jvmtools.MissingCapabilityException
import io.jvmtools.event.*
import io.jvmtools.objects.*
import java.time.Duration
import java.util.concurrent.CompletableFuture
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

    val told = CompletableFuture<Thread>()
    val started = thread(start = false) {}
    jvmti.events().on(EventTypes.THREAD_START, EventFilter.ANY.perSecond(1000)) {
      if (it.thread() == started) told.complete(it.thread())
    }.use {
      started.start()
      println(told.get().name)
      println(started.name)
    }
    try {
      jvmti.snapshots().at("com.acme.Cart", "total").onlyIf { it.count() > 1 }.forEach { println(it) }
    } catch (missing: MissingCapabilityException) {
      println(missing.capability())
      println(Capability.CAN_ACCESS_LOCAL_VARIABLES)
    }
    jvmti.rawMonitors().create("both").use { both: RawMonitor ->
      println(both.hold<Int> { 42 })
      println(42)
    }
  }
}
