// Whose the references are that functions answer: a local reference belongs to the thread that asked, any other is a trap.
#include <map>
#include <mutex>

#include "oracle.h"

using namespace oracle;

namespace {

struct Count {
  int local = 0;
  int other = 0;
};

std::mutex lock;
std::map<std::string, Count> counts;

/// The function that a native calls: GetAllThreads of Java_io_jvmtools_oracle_vm_VmNatives_getAllThreads.
std::string function_of(const std::string& native) {
  std::string function = native.substr(native.rfind('_') + 1);
  function[0] = static_cast<char>(std::toupper(function[0]));
  return function;
}

/// The innermost frame in which a reference is found.
template <typename Read>
jstring find(JNIEnv* jni, Read read, const char* native) {
  const jint deepest = 50;
  for (jint depth = 0; depth < deepest; depth++) {
    jobject value = nullptr;
    if (read(depth, &value) == JVMTI_ERROR_NONE && value) {
      return text(jni, name(jni, value, native));
    }
  }
  return text(jni, "nothing");
}

}  // namespace

bool oracle::is_local(JNIEnv* jni, jobject reference, const char* native) {
  bool local = jni->GetObjectRefType(reference) == JNILocalRefType;
  std::lock_guard<std::mutex> guard(lock);
  Count& count = counts[function_of(native)];
  (local ? count.local : count.other)++;
  return local;
}

/// "GetAllThreads 12 0,GetThreadInfo 2 0": the functions that have answered references since this was asked last, how
/// many of these were local, and how many were not.
NATIVE(jstring, References_answered, jclass) {
  std::lock_guard<std::mutex> guard(lock);
  std::vector<std::string> all;
  for (const auto& [function, count] : counts) {
    all.push_back(
        function + " " + std::to_string(count.local) + " " + std::to_string(count.other));
  }
  counts.clear();
  return text(jni, join(all));
}

NATIVE(jstring, References_getLocalObject, jclass, jobject vm, jthread thread) {
  jvmtiEnv* env = environment(jni, vm);
  auto read = [&](jint depth, jobject* value) {
    return env->GetLocalObject(thread, depth, 0, value);
  };
  return find(jni, read, __func__);
}

NATIVE(jstring, References_getLocalInstance, jclass, jobject vm, jthread thread) {
  jvmtiEnv* env = environment(jni, vm);
  auto read = [&](jint depth, jobject* value) {
    return env->GetLocalInstance(thread, depth, value);
  };
  return find(jni, read, __func__);
}

NATIVE(jstring, References_getClassLoader, jclass, jobject vm, jclass type) {
  jobject loader = nullptr;
  jvmtiError code = environment(jni, vm)->GetClassLoader(type, &loader);
  return answer(jni, code, code ? "" : name(jni, loader));
}

NATIVE(jstring, References_getMethodDeclaringClass, jclass, jobject vm) {
  jvmtiEnv* env = environment(jni, vm);
  jmethodID method = nullptr;
  jlocation location = 0;
  jclass type = nullptr;
  jvmtiError code = env->GetFrameLocation(nullptr, 0, &method, &location);
  code = code ? code : env->GetMethodDeclaringClass(method, &type);
  return answer(jni, code, code ? "" : name(jni, type));
}
