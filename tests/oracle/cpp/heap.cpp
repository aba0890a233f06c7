// Tags, of the stem `heap`, and the stem `object`.
#include "oracle.h"

using namespace oracle;

NATIVE(jstring, Vm_setTag, jobject self, jobject object, jlong tag) {
  return answer(jni, environment(jni, self)->SetTag(object, tag));
}

NATIVE(jstring, Vm_getTag, jobject self, jobject object) {
  jlong tag = 0;
  jvmtiError code = environment(jni, self)->GetTag(object, &tag);
  return answer(jni, code, std::to_string(tag));
}

NATIVE(jstring, Vm_getObjectsWithTags, jobject self, jlongArray tags) {
  jvmtiEnv* env = environment(jni, self);
  std::vector<jlong> wanted(jni->GetArrayLength(tags));
  jni->GetLongArrayRegion(tags, 0, static_cast<jsize>(wanted.size()), wanted.data());
  wanted.reserve(1);
  jint count = 0;
  jobject* objects = nullptr;
  jlong* found = nullptr;
  jvmtiError code = env->GetObjectsWithTags(
      static_cast<jint>(wanted.size()), wanted.data(), &count, &objects, &found);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(name(jni, objects[i]) + "=" + std::to_string(found[i]));
  }
  release(objects);
  release(found);
  return text(jni, sorted(all));
}

NATIVE(jstring, Vm_getObjectSize, jobject self, jobject object) {
  jlong size = 0;
  jvmtiError code = environment(jni, self)->GetObjectSize(object, &size);
  return answer(jni, code, std::to_string(size));
}

NATIVE(jstring, Vm_getObjectHashCode, jobject self, jobject object) {
  jint hash = 0;
  jvmtiError code = environment(jni, self)->GetObjectHashCode(object, &hash);
  return answer(jni, code, std::to_string(hash));
}

NATIVE(jstring, Vm_getObjectMonitorUsage, jobject self, jobject object) {
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
