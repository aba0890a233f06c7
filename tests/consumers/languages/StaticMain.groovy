import groovy.transform.CompileStatic
import io.jvmtools.Capability
import io.jvmtools.JvmTools
import io.jvmtools.Jvmti
import io.jvmtools.MissingCapabilityException
import io.jvmtools.event.EventFilter
import io.jvmtools.event.EventTypes
import io.jvmtools.event.ThreadStartEvent
import java.time.Duration
import java.util.concurrent.CompletableFuture
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

      CompletableFuture<Thread> told = new CompletableFuture<>()
      Thread started = new Thread({})
      jvmti.events().on(EventTypes.THREAD_START, EventFilter.ANY.perSecond(1000)) { ThreadStartEvent event ->
        if (event.thread() == started) told.complete(event.thread())
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
    } finally {
      jvmti.close()
    }
  }
}
