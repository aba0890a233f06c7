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

FUNCTION(getCurrentThreadCpuTimerInfo) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetCurrentThreadCpuTimerInfo(&info);
  return answer_info(jni, code, info);
}

FUNCTION(getThreadCpuTimerInfo) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetThreadCpuTimerInfo(&info);
  return answer_info(jni, code, info);
}

FUNCTION(getTimerInfo) {
  jvmtiTimerInfo info = {};
  jvmtiError code = environment(jni, self)->GetTimerInfo(&info);
  return answer_info(jni, code, info);
}

FUNCTION(getCurrentThreadCpuTime) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetCurrentThreadCpuTime(&nanos);
  return answer(jni, code, std::to_string(nanos));
}

FUNCTION(getThreadCpuTime, jthread thread) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetThreadCpuTime(thread, &nanos);
  return answer(jni, code, std::to_string(nanos));
}

FUNCTION(getTime) {
  jlong nanos = 0;
  jvmtiError code = environment(jni, self)->GetTime(&nanos);
  return answer(jni, code, std::to_string(nanos));
}

FUNCTION(getAvailableProcessors) {
  jint count = 0;
  jvmtiError code = environment(jni, self)->GetAvailableProcessors(&count);
  return answer(jni, code, std::to_string(count));
}
