// The stem `thread_group`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getTopThreadGroups) {
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

FUNCTION(getThreadGroupInfo, jthreadGroup group) {
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

FUNCTION(getThreadGroupChildren, jthreadGroup group) {
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
