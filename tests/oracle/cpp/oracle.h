// What the functions of the oracle share. Each of them is one native of VmNatives: it calls one function of jvmti.h and
// writes the answer as text, and nothing of the library that it judges is in it.
#pragma once

#include <jvmti.h>

#include <string>
#include <vector>

namespace oracle {

/// The environment that the agent opened in OnLoad: for names, and for memory of environments that are gone.
jvmtiEnv* own();

/// The environment of a Vm object.
jvmtiEnv* environment(JNIEnv* jni, jobject vm);

/// Room for the references that a function answers; -Xcheck:jni counts them.
void make_room(JNIEnv* jni);

/// A code as text, without its prefix: "NONE", "THREAD_NOT_ALIVE".
std::string name(jvmtiError code);

jstring text(JNIEnv* jni, const std::string& value);

/// What a string of Java's says.
std::string characters(JNIEnv* jni, jstring value);

/// The value if the code is NONE, else the code.
jstring answer(JNIEnv* jni, jvmtiError code, const std::string& value);

/// The code, for functions that answer nothing else.
jstring answer(JNIEnv* jni, jvmtiError code);

/// Whether a reference that a native got from its function is a local one of this thread. References.answered tells.
bool is_local(JNIEnv* jni, jobject reference, const char* native);

/// Names.of(Object): what the scenarios call a thread, a group, a loader or an object. One that is not local is left
/// alone; the native that got it is the caller, if no other is named.
std::string name(JNIEnv* jni, jobject object, const char* native = __builtin_FUNCTION());

/// What a method or a field is called, and its signatures, which are given back; or the code.
jstring member(JNIEnv* jni, jvmtiError code, char* name, char* signature, char* generic);

/// The class that declares a reflected member.
jclass declaring(JNIEnv* jni, jobject member);

std::string join(const std::vector<std::string>& parts, const char* separator = ",");
std::string sorted(std::vector<std::string> parts, const char* separator = ",");
std::string names(
    JNIEnv* jni, const jobject* objects, jint count, const char* native = __builtin_FUNCTION());

std::string state(jint bits);
std::string frame(JNIEnv* jni, jvmtiEnv* env, jmethodID method, jlocation location);
std::string frames(JNIEnv* jni, jvmtiEnv* env, const jvmtiFrameInfo* frames, jint count);

/// A Thread[] as the functions want it.
std::vector<jthread> threads(JNIEnv* jni, jobjectArray array);

/// Java's true and false.
inline const char* truth(bool value) { return value ? "true" : "false"; }

template <typename T>
void release(T* memory) {
  own()->Deallocate(reinterpret_cast<unsigned char*>(memory));
}

}  // namespace oracle

/// The definition of a native: NATIVE(jlong, vm_Vm_open, jclass), with the package below that of the oracle.
#define NATIVE(result, name, ...) \
  extern "C" JNIEXPORT result JNICALL Java_io_jvmtools_oracle_##name(JNIEnv* jni, __VA_ARGS__)

/// A function as VmNatives asks it: FUNCTION(getThreadState, jthread thread), in the file of its stem.
#define FUNCTION(name, ...) NATIVE(jstring, vm_VmNatives_##name, jobject self, ##__VA_ARGS__)
