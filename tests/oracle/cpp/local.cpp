// The stem `local`.
#include <cstring>

#include "oracle.h"

using namespace oracle;

/// The bits of a number, since both languages write it in their own way.
template <typename Bits, typename T>
static std::string bits(T value) {
  Bits bits = 0;
  static_assert(sizeof bits == sizeof value, "all of them");
  std::memcpy(&bits, &value, sizeof bits);
  return std::to_string(bits);
}

FUNCTION(getLocalObject, jthread thread, jint depth, jint slot) {
  jobject value = nullptr;
  jvmtiError code = environment(jni, self)->GetLocalObject(thread, depth, slot, &value);
  return answer(jni, code, code ? "" : name(jni, value));
}

FUNCTION(getLocalInstance, jthread thread, jint depth) {
  jobject value = nullptr;
  jvmtiError code = environment(jni, self)->GetLocalInstance(thread, depth, &value);
  return answer(jni, code, code ? "" : name(jni, value));
}

FUNCTION(getLocalInt, jthread thread, jint depth, jint slot) {
  jint value = 0;
  jvmtiError code = environment(jni, self)->GetLocalInt(thread, depth, slot, &value);
  return answer(jni, code, bits<jint>(value));
}

FUNCTION(getLocalLong, jthread thread, jint depth, jint slot) {
  jlong value = 0;
  jvmtiError code = environment(jni, self)->GetLocalLong(thread, depth, slot, &value);
  return answer(jni, code, bits<jlong>(value));
}

FUNCTION(getLocalFloat, jthread thread, jint depth, jint slot) {
  jfloat value = 0;
  jvmtiError code = environment(jni, self)->GetLocalFloat(thread, depth, slot, &value);
  return answer(jni, code, bits<jint>(value));
}

FUNCTION(getLocalDouble, jthread thread, jint depth, jint slot) {
  jdouble value = 0;
  jvmtiError code = environment(jni, self)->GetLocalDouble(thread, depth, slot, &value);
  return answer(jni, code, bits<jlong>(value));
}

FUNCTION(setLocalObject, jthread thread, jint depth, jint slot, jobject value) {
  return answer(jni, environment(jni, self)->SetLocalObject(thread, depth, slot, value));
}

FUNCTION(setLocalInt, jthread thread, jint depth, jint slot, jlong value) {
  return answer(jni, environment(jni, self)->SetLocalInt(thread, depth, slot, static_cast<jint>(value)));
}

FUNCTION(setLocalLong, jthread thread, jint depth, jint slot, jlong value) {
  return answer(jni, environment(jni, self)->SetLocalLong(thread, depth, slot, value));
}

FUNCTION(setLocalFloat, jthread thread, jint depth, jint slot, jlong value) {
  return answer(jni, environment(jni, self)->SetLocalFloat(thread, depth, slot, static_cast<jfloat>(value)));
}

FUNCTION(setLocalDouble, jthread thread, jint depth, jint slot, jlong value) {
  return answer(jni, environment(jni, self)->SetLocalDouble(thread, depth, slot, static_cast<jdouble>(value)));
}
