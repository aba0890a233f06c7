require 'java'
java_import 'io.jvmtools.Capability'
java_import 'io.jvmtools.JvmTools'
java_import 'io.jvmtools.Jvmti'
java_import 'io.jvmtools.event.EventFilter'
java_import 'io.jvmtools.event.EventTypes'
java_import 'java.time.Duration'
java_import 'java.util.concurrent.CompletableFuture'
java_import 'java.util.concurrent.locks.LockSupport'
JavaThread = java.lang.Thread

puts JvmTools.getThreadState(JavaThread.currentThread).toJavaState.toString
puts JavaThread.currentThread.state.toString

parked = JavaThread.new { loop { LockSupport.park } }
parked.daemon = true
parked.start
JavaThread.onSpinWait until parked.state == JavaThread::State::WAITING
jvmti = Jvmti.open(Capability::CAN_SUSPEND)
begin
  ours, javas = jvmti.threads.withSuspended(parked, Duration.ofMinutes(1)) do
    [jvmti.frames.stackTrace(parked).first, parked.stackTrace.first]
  end
  puts ours.methodName
  puts javas.methodName

  told = CompletableFuture.new
  started = JavaThread.new {}
  starts = jvmti.events.on(EventTypes::THREAD_START, EventFilter::ANY.perSecond(1000)) do |event|
    told.complete(event.thread) if event.thread == started
  end
  started.start
  puts told.get.name
  puts started.name
  starts.close
ensure
  jvmti.close
end
