// The stem `object`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getObjectSize, jobject object) {
  jlong size = 0;
  jvmtiError code = environment(jni, self)->GetObjectSize(object, &size);
  return answer(jni, code, std::to_string(size));
}

FUNCTION(getObjectHashCode, jobject object) {
  jint hash = 0;
  jvmtiError code = environment(jni, self)->GetObjectHashCode(object, &hash);
  return answer(jni, code, std::to_string(hash));
}

FUNCTION(getObjectMonitorUsage, jobject object) {
  jvmtiMonitorUsage usage = {};
  jvmtiError code = environment(jni, self)->GetObjectMonitorUsage(object, &usage);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = "owner " + name(jni, usage.owner) + " entries " +
                    std::to_string(usage.entry_count) + " waiters [" +
                    names(jni, usage.waiters, usage.waiter_count) + "] notify [" +
                    names(jni, usage.notify_waiters, usage.notify_waiter_count) + "]";
  release(usage.waiters);
  release(usage.notify_waiters);
  return text(jni, all);
}
