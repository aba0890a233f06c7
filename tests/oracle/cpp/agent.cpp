// The start of the agent, its environments, and the texts in which it answers.
#include "oracle.h"

#include <algorithm>
#include <cstdio>

namespace oracle {

static jvmtiEnv* own_environment;

jvmtiEnv* own() { return own_environment; }

jvmtiEnv* environment(JNIEnv* jni, jobject vm) {
  make_room(jni);
  jclass type = jni->GetObjectClass(vm);
  return reinterpret_cast<jvmtiEnv*>(jni->GetLongField(vm, jni->GetFieldID(type, "env", "J")));
}

void make_room(JNIEnv* jni) { jni->EnsureLocalCapacity(4096); }

std::string name(jvmtiError code) {
  const std::string prefix = "JVMTI_ERROR_";
  char* text = nullptr;
  if (own()->GetErrorName(code, &text) != JVMTI_ERROR_NONE) {
    return "error " + std::to_string(code);
  }
  std::string full = text;
  release(text);
  return full.rfind(prefix, 0) == 0 ? full.substr(prefix.size()) : full;
}

jstring text(JNIEnv* jni, const std::string& value) { return jni->NewStringUTF(value.c_str()); }

std::string characters(JNIEnv* jni, jstring value) {
  const char* chars = jni->GetStringUTFChars(value, nullptr);
  std::string copy = chars;
  jni->ReleaseStringUTFChars(value, chars);
  return copy;
}

jstring answer(JNIEnv* jni, jvmtiError code, const std::string& value) {
  return text(jni, code == JVMTI_ERROR_NONE ? value : name(code));
}

jstring answer(JNIEnv* jni, jvmtiError code) { return text(jni, name(code)); }

std::string name(JNIEnv* jni, jobject object, const char* native) {
  if (object && !is_local(jni, object, native)) {
    return "a reference of another thread";
  }
  jclass names = jni->FindClass("io/jvmtools/oracle/asked/Names");
  jmethodID of = jni->GetStaticMethodID(names, "of", "(Ljava/lang/Object;)Ljava/lang/String;");
  jstring result = static_cast<jstring>(jni->CallStaticObjectMethod(names, of, object));
  if (jni->ExceptionCheck()) {
    jni->FatalError("Names.of failed");
  }
  const char* chars = jni->GetStringUTFChars(result, nullptr);
  std::string copy = chars;
  jni->ReleaseStringUTFChars(result, chars);
  jni->DeleteLocalRef(result);
  jni->DeleteLocalRef(names);
  return copy;
}

jstring member(JNIEnv* jni, jvmtiError code, char* name, char* signature, char* generic) {
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = std::string(name) + " " + signature;
  if (generic != nullptr) {
    all += std::string(" ") + generic;
  }
  release(name);
  release(signature);
  release(generic);
  return text(jni, all);
}

std::string join(const std::vector<std::string>& parts, const char* separator) {
  std::string all;
  for (const std::string& part : parts) {
    all += (&part == &parts.front() ? "" : separator) + part;
  }
  return all;
}

std::string sorted(std::vector<std::string> parts, const char* separator) {
  std::sort(parts.begin(), parts.end());
  return join(parts, separator);
}

std::string names(JNIEnv* jni, const jobject* objects, jint count, const char* native) {
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(name(jni, objects[i], native));
  }
  return sorted(all);
}

std::string state(jint bits) {
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%x", static_cast<unsigned>(bits));
  return hex;
}

std::vector<jthread> threads(JNIEnv* jni, jobjectArray array) {
  std::vector<jthread> list;
  for (jsize i = 0; i < jni->GetArrayLength(array); i++) {
    list.push_back(jni->GetObjectArrayElement(array, i));
  }
  return list;
}

}  // namespace oracle

/// An environment for a Vm object.
NATIVE(jlong, vm_Vm_open, jclass) {
  JavaVM* vm = nullptr;
  void* env = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK || vm->GetEnv(&env, JVMTI_VERSION_11) != JNI_OK) {
    jni->FatalError("no environment");
  }
  return reinterpret_cast<jlong>(env);
}

/// What any environment held in OnLoad can be had for the life of the VM. All of it is taken and given back, so that
/// both sides of the comparison find the same VM.
extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char*, void*) {
  if (vm->GetEnv(reinterpret_cast<void**>(&oracle::own_environment), JVMTI_VERSION_11) != JNI_OK) {
    return JNI_ERR;
  }
  jvmtiEnv* env = oracle::own();
  jvmtiCapabilities all = {};
  if (env->GetPotentialCapabilities(&all) != JVMTI_ERROR_NONE ||
      env->AddCapabilities(&all) != JVMTI_ERROR_NONE ||
      env->RelinquishCapabilities(&all) != JVMTI_ERROR_NONE) {
    return JNI_ERR;
  }
  return JNI_OK;
}
