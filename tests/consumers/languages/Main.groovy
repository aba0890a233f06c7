import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import io.jvmtools.MissingCapabilityException
import io.jvmtools.event.EventFilter
import io.jvmtools.event.EventTypes
import java.time.Duration
import java.util.concurrent.CompletableFuture
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

  def told = new CompletableFuture()
  def started = new Thread({})
  jvmti.events().on(EventTypes.THREAD_START, EventFilter.ANY.perSecond(1000)) {
    if (it.thread() == started) told.complete(it.thread())
  }.withCloseable {
    started.start()
    println told.get().name
    println started.name
  }
  try {
    jvmti.snapshots().at('com.acme.Cart', 'total').onlyIf { it.count() > 1 }.forEach { println it }
  } catch (MissingCapabilityException missing) {
    println missing.capability()
    println Capability.CAN_ACCESS_LOCAL_VARIABLES
  }
}
