// The stem `frame`.
#include <algorithm>

#include "oracle.h"

using namespace oracle;

/// "Lio/jvmtools/Jvmti;" as Class.getName has it; in a hidden class the dot of the signature stands for a slash.
static std::string class_name(const std::string& signature) {
  std::string name = signature.substr(1, signature.size() - 2);
  for (char& c : name) {
    c = c == '/' ? '.' : c == '.' ? '/' : c;
  }
  return name;
}

std::string oracle::frame(JNIEnv* jni, jvmtiEnv* env, jmethodID method, jlocation location) {
  char* name = nullptr;
  char* signature = nullptr;
  jclass type = nullptr;
  if (env->GetMethodName(method, &name, nullptr, nullptr) != JVMTI_ERROR_NONE ||
      env->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE ||
      env->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return "<unloaded>";
  }
  std::string text = class_name(signature) + "." + name + ":" + std::to_string(location);
  release(name);
  release(signature);
  jni->DeleteLocalRef(type);
  return text;
}

std::string oracle::frames(JNIEnv* jni, jvmtiEnv* env, const jvmtiFrameInfo* frames, jint count) {
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(frame(jni, env, frames[i].method, frames[i].location));
  }
  return join(all, " < ");
}

FUNCTION(getStackTrace, jthread thread, jint start, jint max) {
  jvmtiEnv* env = environment(jni, self);
  std::vector<jvmtiFrameInfo> buffer(std::max(max, 1));
  jint count = 0;
  jvmtiError code = env->GetStackTrace(thread, start, max, buffer.data(), &count);
  return answer(jni, code, code ? "" : frames(jni, env, buffer.data(), count));
}

static jstring answer_stacks(
    JNIEnv* jni, jvmtiEnv* env, jvmtiError code, jvmtiStackInfo* stacks, jint count, bool in_order,
    const char* native = __builtin_FUNCTION()) {
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    const jvmtiStackInfo& stack = stacks[i];
    all.push_back(
        name(jni, stack.thread, native) + " " + state(stack.state) + " " +
        frames(jni, env, stack.frame_buffer, stack.frame_count));
  }
  release(stacks);
  return text(jni, in_order ? join(all, "; ") : sorted(all, "; "));
}

FUNCTION(getAllStackTraces, jint max) {
  jvmtiEnv* env = environment(jni, self);
  jvmtiStackInfo* stacks = nullptr;
  jint count = 0;
  jvmtiError code = env->GetAllStackTraces(max, &stacks, &count);
  return answer_stacks(jni, env, code, stacks, count, false);
}

FUNCTION(getThreadListStackTraces, jobjectArray asked, jint max) {
  jvmtiEnv* env = environment(jni, self);
  std::vector<jthread> list = threads(jni, asked);
  list.reserve(1);
  jvmtiStackInfo* stacks = nullptr;
  jint count = static_cast<jint>(list.size());
  jvmtiError code = env->GetThreadListStackTraces(count, list.data(), max, &stacks);
  return answer_stacks(jni, env, code, stacks, count, true);
}

FUNCTION(getFrameCount, jthread thread) {
  jint count = 0;
  jvmtiError code = environment(jni, self)->GetFrameCount(thread, &count);
  return answer(jni, code, std::to_string(count));
}

FUNCTION(getFrameLocation, jthread thread, jint depth) {
  jvmtiEnv* env = environment(jni, self);
  jmethodID method = nullptr;
  jlocation location = 0;
  jvmtiError code = env->GetFrameLocation(thread, depth, &method, &location);
  return answer(jni, code, code ? "" : frame(jni, env, method, location));
}

FUNCTION(popFrame, jthread thread) { return answer(jni, environment(jni, self)->PopFrame(thread)); }

FUNCTION(forceEarlyReturnObject, jthread thread, jobject value) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnObject(thread, value));
}

FUNCTION(forceEarlyReturnInt, jthread thread, jlong value) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnInt(thread, static_cast<jint>(value)));
}

FUNCTION(forceEarlyReturnLong, jthread thread, jlong value) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnLong(thread, value));
}

FUNCTION(forceEarlyReturnFloat, jthread thread, jlong value) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnFloat(thread, static_cast<jfloat>(value)));
}

FUNCTION(forceEarlyReturnDouble, jthread thread, jlong value) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnDouble(thread, static_cast<jdouble>(value)));
}

FUNCTION(forceEarlyReturnVoid, jthread thread) {
  return answer(jni, environment(jni, self)->ForceEarlyReturnVoid(thread));
}

FUNCTION(notifyFramePop, jthread thread, jint depth) {
  return answer(jni, environment(jni, self)->NotifyFramePop(thread, depth));
}

/// Headers of before 25 have no name for it.
FUNCTION(clearAllFramePops, jthread thread) {
  using Function = jvmtiError(JNICALL*)(jvmtiEnv*, jthread);
  jvmtiEnv* env = environment(jni, self);
  const void* slot = reinterpret_cast<void* const*>(env->functions)[67 - 1];
  return answer(jni, reinterpret_cast<Function>(const_cast<void*>(slot))(env, thread));
}
