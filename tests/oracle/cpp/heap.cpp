// The stem `heap`.
#include "oracle.h"

using namespace oracle;

FUNCTION(setTag, jobject object, jlong tag) {
  return answer(jni, environment(jni, self)->SetTag(object, tag));
}

FUNCTION(getTag, jobject object) {
  jlong tag = 0;
  jvmtiError code = environment(jni, self)->GetTag(object, &tag);
  return answer(jni, code, std::to_string(tag));
}

FUNCTION(setHeapSamplingInterval, jint bytes) {
  return answer(jni, environment(jni, self)->SetHeapSamplingInterval(bytes));
}

FUNCTION(getObjectsWithTags, jlongArray tags) {
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
