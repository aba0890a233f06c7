package io.jvmtools.oracle.ours;

import io.jvmtools.objects.MonitorUsage;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.ObjectFunctions;

/** The stem {@code object} through the public API. */
interface OursObject extends ObjectFunctions, OurEnvironment {

  @Override
  default String getObjectSize(Object object) {
    return String.valueOf(jvmti().objects().size(object));
  }

  @Override
  default String getObjectHashCode(Object object) {
    return String.valueOf(jvmti().objects().identityHash(object));
  }

  @Override
  default String getObjectMonitorUsage(Object object) {
    MonitorUsage usage = jvmti().objects().monitorUsage(object);
    return "owner "
        + Names.of(usage.owner().orElse(null))
        + " entries "
        + usage.entryCount()
        + " waiters ["
        + Names.ofAll(usage.waiters())
        + "] notify ["
        + Names.ofAll(usage.notifyWaiters())
        + "]";
  }
}
