// What the VM tells of events, as text: of one kind at a time, of one thread, and of some classes.
#include "oracle.h"

#include <cstring>
#include <mutex>

using namespace oracle;

namespace {

jvmtiEnv* env;
std::mutex lock;
std::vector<std::string> told;
/// Whose events they are, and what the names of their classes have in them.
std::string actor, classes;

using Parts = std::vector<std::string>;

std::string thread_name(jthread thread) {
  jvmtiThreadInfo info = {};
  if (env->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) {
    return "a thread that is not told";
  }
  std::string name = info.name;
  release(info.name);
  return name;
}

std::string class_name(jclass type) {
  char* signature = nullptr;
  if (env->GetClassSignature(type, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return "a class that is not told";
  }
  std::string name = signature;
  release(signature);
  return name;
}

std::string class_of(JNIEnv* jni, jobject object) { return class_name(jni->GetObjectClass(object)); }

std::string object_name(JNIEnv* jni, jobject object) { return "a " + class_of(jni, object); }

std::string declaring_class(jmethodID method) {
  jclass type = nullptr;
  env->GetMethodDeclaringClass(method, &type);
  return class_name(type);
}

std::string method_name(jmethodID method) {
  if (method == nullptr) {
    return "none";
  }
  char* name = nullptr;
  char* signature = nullptr;
  if (env->GetMethodName(method, &name, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return "a method that is not told";
  }
  std::string all = declaring_class(method) + name + signature;
  release(name);
  release(signature);
  return all;
}

std::string number(jlong value) { return std::to_string(value); }

/// An event of that thread; of a class, if it has one.
void tell(const std::string& thread, const std::string& type, const Parts& parts) {
  if (thread == actor && type.find(classes) != std::string::npos) {
    std::lock_guard<std::mutex> guard(lock);
    told.push_back(join(parts, " "));
  }
}

void JNICALL of_thread(jvmtiEnv*, JNIEnv*, jthread thread) {
  std::string name = thread_name(thread);
  tell(name, "", {name});
}

void JNICALL of_class(jvmtiEnv*, JNIEnv*, jthread thread, jclass type) {
  std::string name = thread_name(thread);
  tell(name, class_name(type), {name, class_name(type)});
}

void JNICALL of_exception(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jlocation location, jobject exception,
    jmethodID catching, jlocation caught) {
  std::string name = thread_name(thread);
  tell(name, class_of(jni, exception),
       {name, method_name(method), number(location), object_name(jni, exception),
        method_name(catching), number(caught)});
}

void JNICALL of_catch(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jlocation location, jobject exception) {
  std::string name = thread_name(thread);
  tell(name, class_of(jni, exception),
       {name, method_name(method), number(location), object_name(jni, exception)});
}

void JNICALL of_place(jvmtiEnv*, JNIEnv*, jthread thread, jmethodID method, jlocation location) {
  std::string name = thread_name(thread);
  tell(name, declaring_class(method), {name, method_name(method), number(location)});
}

void JNICALL of_entry(jvmtiEnv*, JNIEnv*, jthread thread, jmethodID method) {
  std::string name = thread_name(thread);
  tell(name, declaring_class(method), {name, method_name(method)});
}

void JNICALL of_pop(jvmtiEnv*, JNIEnv*, jthread thread, jmethodID method, jboolean by_exception) {
  std::string name = thread_name(thread);
  tell(name, declaring_class(method), {name, method_name(method), truth(by_exception)});
}

void JNICALL of_wait(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object, jlong timeout) {
  std::string name = thread_name(thread);
  tell(name, class_of(jni, object), {name, object_name(jni, object), number(timeout)});
}

void JNICALL of_waited(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object, jboolean timed_out) {
  std::string name = thread_name(thread);
  tell(name, class_of(jni, object), {name, object_name(jni, object), truth(timed_out)});
}

void JNICALL of_monitor(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object) {
  std::string name = thread_name(thread);
  tell(name, class_of(jni, object), {name, object_name(jni, object)});
}

void JNICALL of_object(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jobject object, jclass type, jlong size) {
  std::string name = thread_name(thread);
  tell(name, class_name(type),
       {name, object_name(jni, object), class_name(type), number(size)});
}

void require(JNIEnv* jni, jvmtiError code) {
  if (code != JVMTI_ERROR_NONE) {
    jni->FatalError(name(code).c_str());
  }
}

/// Those that a newer VM has lie behind the end of the structure of an older one.
constexpr int VIRTUAL_THREAD_START = 87;
constexpr int LAST = 88;

void set_callbacks(JNIEnv* jni) {
  union {
    jvmtiEventCallbacks table;
    void* slots[LAST - JVMTI_MIN_EVENT_TYPE_VAL + 1];
  } all = {};
  all.table.ThreadStart = of_thread;
  all.table.ThreadEnd = of_thread;
  all.table.ClassLoad = of_class;
  all.table.ClassPrepare = of_class;
  all.table.Exception = of_exception;
  all.table.ExceptionCatch = of_catch;
  all.table.SingleStep = of_place;
  all.table.Breakpoint = of_place;
  all.table.FramePop = of_pop;
  all.table.MethodEntry = of_entry;
  all.table.MonitorWait = of_wait;
  all.table.MonitorWaited = of_waited;
  all.table.MonitorContendedEnter = of_monitor;
  all.table.MonitorContendedEntered = of_monitor;
  all.table.VMObjectAlloc = of_object;
  all.table.SampledObjectAlloc = of_object;
  for (int number = VIRTUAL_THREAD_START; number <= LAST; number++) {
    all.slots[number - JVMTI_MIN_EVENT_TYPE_VAL] = reinterpret_cast<void*>(of_thread);
  }
  require(jni, env->SetEventCallbacks(&all.table, sizeof all));
}

/// The bit of a capability, by its number: those of a newer VM have no name in an older header.
void add(JNIEnv* jni, jint bit) {
  jvmtiCapabilities wanted = {};
  reinterpret_cast<unsigned char*>(&wanted)[bit / 8] |= static_cast<unsigned char>(1 << bit % 8);
  require(jni, env->AddCapabilities(&wanted));
}

}  // namespace

NATIVE(void, events_VmRecorder_begin, jclass, jint event, jint capability, jthread thread,
       jstring name, jstring names) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK ||
      vm->GetEnv(reinterpret_cast<void**>(&env), JVMTI_VERSION_11) != JNI_OK) {
    jni->FatalError("no environment");
  }
  actor = characters(jni, name);
  classes = characters(jni, names);
  told.clear();
  if (capability >= 0) {
    add(jni, capability);
  }
  set_callbacks(jni);
  require(jni, env->SetEventNotificationMode(JVMTI_ENABLE, static_cast<jvmtiEvent>(event), thread));
}

NATIVE(jobjectArray, events_VmRecorder_told, jclass) {
  require(jni, env->DisposeEnvironment());
  std::lock_guard<std::mutex> guard(lock);
  jobjectArray all = jni->NewObjectArray(
      static_cast<jsize>(told.size()), jni->FindClass("java/lang/String"), nullptr);
  for (size_t i = 0; i < told.size(); i++) {
    jni->SetObjectArrayElement(all, static_cast<jsize>(i), text(jni, told[i]));
  }
  return all;
}

NATIVE(void, events_VmRecorder_notifyPop, jclass, jint depth) {
  require(jni, env->NotifyFramePop(nullptr, depth));
}

NATIVE(void, events_VmRecorder_breakpoint, jclass, jobject method) {
  require(jni, env->SetBreakpoint(jni->FromReflectedMethod(method), 0));
}
