// The stem `jni_table`. Functions are counted by others that are put over them, as often as a scenario asks for it.
#include "oracle.h"

#include <atomic>

using namespace oracle;

/// A function of JNI, what is over it while it is counted, and how often that was called.
template <typename Function>
struct Counted {
  Function* original = nullptr;
  std::atomic<jlong> calls{0};
};

static Counted<jint JNICALL(JNIEnv*)> version;
static Counted<jclass JNICALL(JNIEnv*, jclass)> superclass;

static jint JNICALL counting_version(JNIEnv* jni) {
  version.calls++;
  return version.original(jni);
}

static jclass JNICALL counting_superclass(JNIEnv* jni, jclass type) {
  superclass.calls++;
  return superclass.original(jni, type);
}

/// Puts a function into a slot of the table, and answers what was there.
template <typename Function>
static jvmtiError exchange(
    jvmtiEnv* env, Function* jniNativeInterface::* slot, Function* function, Function** before) {
  jniNativeInterface* table = nullptr;
  jvmtiError code = env->GetJNIFunctionTable(&table);
  if (code == JVMTI_ERROR_NONE) {
    *before = table->*slot;
    table->*slot = function;
    code = env->SetJNIFunctionTable(table);
    release(table);
  }
  return code;
}

/// How often a function is called while an action runs, which may count it, too.
template <typename Function>
static jstring calls(
    JNIEnv* jni, jvmtiEnv* env, Counted<Function>& counted, Function* jniNativeInterface::* slot, Function* counting,
    jobject action) {
  Function* before = nullptr;
  jvmtiError code = exchange(env, slot, counting, &before);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  if (before != counting) {
    counted.original = before;
  }
  jlong start = counted.calls;
  jni->CallVoidMethod(action, jni->GetMethodID(jni->FindClass("java/lang/Runnable"), "run", "()V"));
  jlong end = counted.calls;
  exchange(env, slot, before, &counting);
  return jni->ExceptionCheck() ? nullptr : text(jni, std::to_string(end - start) + " calls");
}

FUNCTION(getJNIFunctionTable) {
  jniNativeInterface* table = nullptr;
  jvmtiError code = environment(jni, self)->GetJNIFunctionTable(&table);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  // What the headers of this agent have is not what the JVM has.
  jint version = 0;
  own()->GetVersionNumber(&version);
  jint jdk = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
  int slots = jdk >= 24 ? 236 : jdk >= 21 ? 235 : 234;
  int functions = 0;
  for (int slot = 0; slot < slots; slot++) {
    functions += reinterpret_cast<void**>(table)[slot] != nullptr;
  }
  release(table);
  return text(jni, std::to_string(functions) + " functions");
}

FUNCTION(setJNIFunctionTable, jstring function, jobject action) {
  jvmtiEnv* env = environment(jni, self);
  if (characters(jni, function) == "GetSuperclass") {
    return calls(jni, env, superclass, &jniNativeInterface::GetSuperclass, counting_superclass, action);
  }
  return calls(jni, env, version, &jniNativeInterface::GetVersion, counting_version, action);
}
