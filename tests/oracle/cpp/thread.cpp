// The stem `thread`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getThreadState, jthread thread) {
  jint bits = 0;
  jvmtiError code = environment(jni, self)->GetThreadState(thread, &bits);
  return answer(jni, code, state(bits));
}

FUNCTION(getThreadInfo, jthread thread) {
  jvmtiThreadInfo info = {};
  jvmtiError code = environment(jni, self)->GetThreadInfo(thread, &info);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = std::string(info.name) + " priority " + std::to_string(info.priority) +
                    " daemon " + truth(info.is_daemon) + " group " +
                    name(jni, info.thread_group) + " loader " +
                    name(jni, info.context_class_loader);
  release(info.name);
  return text(jni, all);
}

FUNCTION(getAllThreads) {
  jint count = 0;
  jthread* list = nullptr;
  jvmtiError code = environment(jni, self)->GetAllThreads(&count, &list);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = names(jni, list, count);
  release(list);
  return text(jni, all);
}

FUNCTION(getCurrentThread) {
  jthread thread = nullptr;
  jvmtiError code = environment(jni, self)->GetCurrentThread(&thread);
  return answer(jni, code, code ? "" : name(jni, thread));
}

FUNCTION(interruptThread, jthread thread) {
  return answer(jni, environment(jni, self)->InterruptThread(thread));
}

FUNCTION(stopThread, jthread thread, jobject exception) {
  return answer(jni, environment(jni, self)->StopThread(thread, exception));
}

FUNCTION(getOwnedMonitorInfo, jthread thread) {
  jint count = 0;
  jobject* monitors = nullptr;
  jvmtiError code = environment(jni, self)->GetOwnedMonitorInfo(thread, &count, &monitors);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = names(jni, monitors, count);
  release(monitors);
  return text(jni, all);
}

FUNCTION(getOwnedMonitorStackDepthInfo, jthread thread) {
  jint count = 0;
  jvmtiMonitorStackDepthInfo* monitors = nullptr;
  jvmtiError code =
      environment(jni, self)->GetOwnedMonitorStackDepthInfo(thread, &count, &monitors);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(name(jni, monitors[i].monitor) + "@" + std::to_string(monitors[i].stack_depth));
  }
  release(monitors);
  return text(jni, sorted(all));
}

FUNCTION(getCurrentContendedMonitor, jthread thread) {
  jobject monitor = nullptr;
  jvmtiError code = environment(jni, self)->GetCurrentContendedMonitor(thread, &monitor);
  return answer(jni, code, code ? "" : name(jni, monitor));
}

FUNCTION(getThreadLocalStorage, jthread thread) {
  void* data = nullptr;
  jvmtiError code = environment(jni, self)->GetThreadLocalStorage(thread, &data);
  return answer(jni, code, std::to_string(reinterpret_cast<jlong>(data)));
}

FUNCTION(setThreadLocalStorage, jthread thread, jlong value) {
  return answer(
      jni, environment(jni, self)->SetThreadLocalStorage(thread, reinterpret_cast<void*>(value)));
}

FUNCTION(suspendThread, jthread thread) {
  return answer(jni, environment(jni, self)->SuspendThread(thread));
}

FUNCTION(resumeThread, jthread thread) {
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

FUNCTION(suspendThreadList, jobjectArray asked) {
  return answer_list(jni, self, asked, &jvmtiEnv::SuspendThreadList);
}

FUNCTION(resumeThreadList, jobjectArray asked) {
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

FUNCTION(suspendAllVirtualThreads, jobjectArray except) {
  return answer_virtual(jni, self, except, slot(jni, self, 118));
}

FUNCTION(resumeAllVirtualThreads, jobjectArray except) {
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

FUNCTION(runAgentThread, jthread thread, jobject body, jint priority) {
  jobject kept = jni->NewGlobalRef(body);
  jvmtiError code = environment(jni, self)->RunAgentThread(thread, run, kept, priority);
  if (code != JVMTI_ERROR_NONE) {
    jni->DeleteGlobalRef(kept);
  }
  return answer(jni, code);
}
