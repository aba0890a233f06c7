// What the VM tells of events, as text: of one kind at a time, of one thread, and of some classes.
#include "oracle.h"

#include <dlfcn.h>

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

/// What is there; nothing for a null.
std::string any_name(JNIEnv* jni, jobject object) {
  return object == nullptr ? "none" : object_name(jni, object);
}

std::string field_name(jclass type, jfieldID field) {
  char* name = nullptr;
  char* signature = nullptr;
  if (env->GetFieldName(type, field, &name, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return "a field that is not told";
  }
  std::string all = class_name(type) + name + signature;
  release(name);
  release(signature);
  return all;
}

template <typename Bits, typename Value>
std::string bits(Value value) {
  Bits bits;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return std::to_string(bits);
}

std::string value_name(JNIEnv* jni, char type, jvalue value) {
  switch (type) {
    case 'Z': return truth(value.z);
    case 'B': return number(value.b);
    case 'C': return "char " + number(value.c);
    case 'S': return number(value.s);
    case 'I': return number(value.i);
    case 'J': return number(value.j);
    case 'F': return "float " + bits<jint>(value.f);
    case 'D': return "double " + bits<jlong>(value.d);
    case 'V': return "none";
    default:
      if (value.l != nullptr && class_of(jni, value.l) == "Ljava/lang/String;") {
        return characters(jni, static_cast<jstring>(value.l));
      }
      return any_name(jni, value.l);
  }
}

char returned_type(jmethodID method) {
  char* signature = nullptr;
  env->GetMethodName(method, nullptr, &signature, nullptr);
  char type = *(std::strchr(signature, ')') + 1);
  release(signature);
  return type;
}

std::string symbol(const void* address) {
  Dl_info info = {};
  return dladdr(address, &info) != 0 && info.dli_sname != nullptr ? info.dli_sname : "no symbol";
}

void JNICALL of_read(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jlocation location, jclass type,
    jobject object, jfieldID field) {
  std::string name = thread_name(thread);
  tell(name, class_name(type),
       {name, method_name(method), number(location), field_name(type, field),
        any_name(jni, object)});
}

void JNICALL of_write(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jlocation location, jclass type,
    jobject object, jfieldID field, char value_type, jvalue value) {
  std::string name = thread_name(thread);
  tell(name, class_name(type),
       {name, method_name(method), number(location), field_name(type, field),
        any_name(jni, object), value_name(jni, value_type, value)});
}

void JNICALL of_exit(
    jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jboolean by_exception,
    jvalue value) {
  std::string name = thread_name(thread);
  char type = by_exception ? 'V' : returned_type(method);
  tell(name, declaring_class(method),
       {name, method_name(method), truth(by_exception), value_name(jni, type, value)});
}

void JNICALL of_bind(
    jvmtiEnv*, JNIEnv*, jthread thread, jmethodID method, void* address, void**) {
  std::string name = thread_name(thread);
  tell(name, declaring_class(method), {name, method_name(method), symbol(address)});
}

void JNICALL of_exhaustion(
    jvmtiEnv*, JNIEnv*, jint flags, const void*, const char* description) {
  Parts resources;
  for (auto [bit, resource] : {std::pair(JVMTI_RESOURCE_EXHAUSTED_OOM_ERROR, "OOM_ERROR"),
                               std::pair(JVMTI_RESOURCE_EXHAUSTED_JAVA_HEAP, "JAVA_HEAP"),
                               std::pair(JVMTI_RESOURCE_EXHAUSTED_THREADS, "THREADS")}) {
    if ((flags & bit) != 0) {
      resources.push_back(resource);
    }
  }
  tell(thread_name(nullptr), "", {"[" + join(resources, ", ") + "]", description});
}

void JNICALL of_file(
    jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader, const char* name, jobject domain,
    jint length, const unsigned char*, jint*, unsigned char**) {
  tell(thread_name(nullptr), name,
       {redefined == nullptr ? "none" : class_name(redefined), any_name(jni, loader), name,
        any_name(jni, domain), number(length) + " bytes"});
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
  all.table.MethodExit = of_exit;
  all.table.FieldAccess = of_read;
  all.table.FieldModification = of_write;
  all.table.NativeMethodBind = of_bind;
  all.table.ResourceExhausted = of_exhaustion;
  all.table.ClassFileLoadHook = of_file;
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

NATIVE(void, events_VmRecorder_watch, jclass, jclass type, jobject field, jboolean writes) {
  jfieldID id = jni->FromReflectedField(field);
  require(jni, writes ? env->SetFieldModificationWatch(type, id)
                      : env->SetFieldAccessWatch(type, id));
}

NATIVE(jstring, events_VmRecorder_symbol, jclass, jlong address) {
  return text(jni, symbol(reinterpret_cast<const void*>(address)));
}

/// No version of JNI.
NATIVE(jint, events_ActedNative_seven, jclass) { return jni != nullptr ? 7 : 0; }

NATIVE(jint, events_ActedNative_version, jclass) { return jni->GetVersion(); }
