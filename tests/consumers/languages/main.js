var Capability = Java.type('io.jvmtools.Capability');
var Duration = Java.type('java.time.Duration');
var JvmTools = Java.type('io.jvmtools.JvmTools');
var Jvmti = Java.type('io.jvmtools.Jvmti');
var LockSupport = Java.type('java.util.concurrent.locks.LockSupport');
var Thread = Java.type('java.lang.Thread');

print(JvmTools.getThreadState(Thread.currentThread()).toJavaState());
print(Thread.currentThread().state);

var parked = new Thread(function () { while (true) LockSupport.park(); });
parked.daemon = true;
parked.start();
while (parked.state != Thread.State.WAITING) Thread.onSpinWait();
var jvmti = Jvmti.open(Capability.CAN_SUSPEND);
try {
  var both = jvmti.threads().withSuspended(parked, Duration.ofMinutes(1), function () {
    return [jvmti.frames().stackTrace(parked).get(0), parked.stackTrace[0]];
  });
  print(both[0].methodName());
  print(both[1].methodName);
} finally {
  jvmti.close();
}
