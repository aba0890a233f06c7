// Suspension and agent threads, of the stem `thread`.
#include "oracle.h"

using namespace oracle;

NATIVE(jstring, Vm_suspendThread, jobject self, jthread thread) {
  return answer(jni, environment(jni, self)->SuspendThread(thread));
}

NATIVE(jstring, Vm_resumeThread, jobject self, jthread thread) {
  return answer(jni, environment(jni, self)->ResumeThread(thread));
}

using ListFunction = jvmtiError (jvmtiEnv::*)(jint, const jthread*, jvmtiError*);

static jstring answer_list(JNIEnv* jni, jobject self, jobjectArray asked, ListFunction function) {
  jvmtiEnv* env = environment(jni, self);
  std::vector<jthread> list = threads(jni, asked);
  list.reserve(1);
  std::vector<jvmtiError> codes(list.size() + 1);
  jvmtiError code = (env->*function)(static_cast<jint>(list.size()), list.data(), codes.data());
  std::vector<std::string> refused;
  for (size_t i = 0; i < list.size(); i++) {
    if (codes[i] != JVMTI_ERROR_NONE) {
      refused.push_back(name(jni, list[i]) + "=" + name(codes[i]));
    }
  }
  return answer(jni, code, "refused [" + join(refused) + "]");
}

NATIVE(jstring, Vm_suspendThreadList, jobject self, jobjectArray asked) {
  return answer_list(jni, self, asked, &jvmtiEnv::SuspendThreadList);
}

NATIVE(jstring, Vm_resumeThreadList, jobject self, jobjectArray asked) {
  return answer_list(jni, self, asked, &jvmtiEnv::ResumeThreadList);
}

/// Headers of before 21 have no name for the two functions.
using VirtualFunction = jvmtiError(JNICALL*)(jvmtiEnv*, jint, const jthread*);

static jstring answer_virtual(JNIEnv* jni, jobject self, jobjectArray except, const void* slot) {
  jvmtiEnv* env = environment(jni, self);
  std::vector<jthread> list = threads(jni, except);
  list.reserve(1);
  auto function = reinterpret_cast<VirtualFunction>(const_cast<void*>(slot));
  return answer(jni, function(env, static_cast<jint>(list.size()), list.data()));
}

static const void* slot(JNIEnv* jni, jobject self, size_t number) {
  const jvmtiInterface_1* table = environment(jni, self)->functions;
  return reinterpret_cast<void* const*>(table)[number - 1];
}

NATIVE(jstring, Vm_suspendAllVirtualThreads, jobject self, jobjectArray except) {
  return answer_virtual(jni, self, except, slot(jni, self, 118));
}

NATIVE(jstring, Vm_resumeAllVirtualThreads, jobject self, jobjectArray except) {
  return answer_virtual(jni, self, except, slot(jni, self, 119));
}

static void JNICALL run(jvmtiEnv*, JNIEnv* jni, void* argument) {
  jobject body = static_cast<jobject>(argument);
  jclass type = jni->GetObjectClass(body);
  jmethodID method = jni->GetMethodID(type, "run", "()V");
  jni->CallVoidMethod(body, method);
  if (jni->ExceptionCheck()) {
    jni->ExceptionClear();
  }
  jni->DeleteGlobalRef(body);
}

NATIVE(jstring, Vm_runAgentThread, jobject self, jthread thread, jobject body, jint priority) {
  jobject kept = jni->NewGlobalRef(body);
  jvmtiError code = environment(jni, self)->RunAgentThread(thread, run, kept, priority);
  if (code != JVMTI_ERROR_NONE) {
    jni->DeleteGlobalRef(kept);
  }
  return answer(jni, code);
}

// What no Java code can set up: a monitor that native code has entered.
NATIVE(void, NativeCode_enter, jclass, jobject object) { jni->MonitorEnter(object); }

NATIVE(void, NativeCode_exit, jclass, jobject object) { jni->MonitorExit(object); }
