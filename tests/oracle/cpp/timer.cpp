// The stem `timer`.
#include "oracle.h"

using namespace oracle;

static jstring answer_info(JNIEnv* jni, jvmtiError code, const jvmtiTimerInfo& info) {
  const char* kind = info.kind == JVMTI_TIMER_USER_CPU    ? "USER_CPU"
                     : info.kind == JVMTI_TIMER_TOTAL_CPU ? "TOTAL_CPU"
                     : info.kind == JVMTI_TIMER_ELAPSED   ? "ELAPSED"
                                                          : "unknown";
  return answer(
      jni, code,
      std::string(kind) + " max " + std::to_string(info.max_value) + " forward " +
          truth(info.may_skip_forward) + " backward " + truth(info.may_skip_backward));
}

NATIVE(jstring, Vm_getCurrentThreadCpuTimerInfo, jobject self) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetCurrentThreadCpuTimerInfo(&info);
  return answer_info(jni, code, info);
}

NATIVE(jstring, Vm_getThreadCpuTimerInfo, jobject self) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetThreadCpuTimerInfo(&info);
  return answer_info(jni, code, info);
}

NATIVE(jstring, Vm_getTimerInfo, jobject self) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetTimerInfo(&info);
  return answer_info(jni, code, info);
}

NATIVE(jstring, Vm_getCurrentThreadCpuTime, jobject self) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetCurrentThreadCpuTime(&nanos);
  return answer(jni, code, std::to_string(nanos));
}

NATIVE(jstring, Vm_getThreadCpuTime, jobject self, jthread thread) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetThreadCpuTime(thread, &nanos);
  return answer(jni, code, std::to_string(nanos));
}

NATIVE(jstring, Vm_getTime, jobject self) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetTime(&nanos);
  return answer(jni, code, std::to_string(nanos));
}

NATIVE(jstring, Vm_getAvailableProcessors, jobject self) {
  jint count = 0;
  jvmtiError code = environment(jni, self)->GetAvailableProcessors(&count);
  return answer(jni, code, std::to_string(count));
}
