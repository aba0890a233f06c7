// Threads and thread groups, of the stem `thread`.
#include "oracle.h"

using namespace oracle;

NATIVE(jstring, Vm_getThreadState, jobject self, jthread thread) {
  jint bits = 0;
  jvmtiError code = environment(jni, self)->GetThreadState(thread, &bits);
  return answer(jni, code, state(bits));
}

NATIVE(jstring, Vm_getThreadInfo, jobject self, jthread thread) {
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

NATIVE(jstring, Vm_getAllThreads, jobject self) {
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

NATIVE(jstring, Vm_getCurrentThread, jobject self) {
  jthread thread = nullptr;
  jvmtiError code = environment(jni, self)->GetCurrentThread(&thread);
  return answer(jni, code, code ? "" : name(jni, thread));
}

NATIVE(jstring, Vm_interruptThread, jobject self, jthread thread) {
  return answer(jni, environment(jni, self)->InterruptThread(thread));
}

NATIVE(jstring, Vm_stopThread, jobject self, jthread thread, jobject exception) {
  return answer(jni, environment(jni, self)->StopThread(thread, exception));
}

NATIVE(jstring, Vm_getOwnedMonitorInfo, jobject self, jthread thread) {
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

NATIVE(jstring, Vm_getOwnedMonitorStackDepthInfo, jobject self, jthread thread) {
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

NATIVE(jstring, Vm_getCurrentContendedMonitor, jobject self, jthread thread) {
  jobject monitor = nullptr;
  jvmtiError code = environment(jni, self)->GetCurrentContendedMonitor(thread, &monitor);
  return answer(jni, code, code ? "" : name(jni, monitor));
}

NATIVE(jstring, Vm_getThreadLocalStorage, jobject self, jthread thread) {
  void* data = nullptr;
  jvmtiError code = environment(jni, self)->GetThreadLocalStorage(thread, &data);
  return answer(jni, code, std::to_string(reinterpret_cast<jlong>(data)));
}

NATIVE(jstring, Vm_setThreadLocalStorage, jobject self, jthread thread, jlong value) {
  return answer(
      jni, environment(jni, self)->SetThreadLocalStorage(thread, reinterpret_cast<void*>(value)));
}

NATIVE(jstring, Vm_getTopThreadGroups, jobject self) {
  jint count = 0;
  jthreadGroup* groups = nullptr;
  jvmtiError code = environment(jni, self)->GetTopThreadGroups(&count, &groups);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = names(jni, groups, count);
  release(groups);
  return text(jni, all);
}

NATIVE(jstring, Vm_getThreadGroupInfo, jobject self, jthreadGroup group) {
  jvmtiThreadGroupInfo info = {};
  jvmtiError code = environment(jni, self)->GetThreadGroupInfo(group, &info);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = std::string(info.name) + " max " + std::to_string(info.max_priority) +
                    " daemon " + truth(info.is_daemon) + " parent " + name(jni, info.parent);
  release(info.name);
  return text(jni, all);
}

NATIVE(jstring, Vm_getThreadGroupChildren, jobject self, jthreadGroup group) {
  jint thread_count = 0;
  jthread* list = nullptr;
  jint group_count = 0;
  jthreadGroup* groups = nullptr;
  jvmtiError code = environment(jni, self)->GetThreadGroupChildren(
      group, &thread_count, &list, &group_count, &groups);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = "threads [" + names(jni, list, thread_count) + "] groups [" +
                    names(jni, groups, group_count) + "]";
  release(list);
  release(groups);
  return text(jni, all);
}
