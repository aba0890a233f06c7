// The stem `monitor`. The scenarios name monitors by text; one that is not there yet is made.
#include "oracle.h"

#include <map>
#include <mutex>
#include <utility>

using namespace oracle;

using Key = std::pair<jvmtiEnv*, std::string>;

static std::mutex lock;
static std::map<Key, jrawMonitorID> monitors;

static std::string chars(JNIEnv* jni, jstring name) {
  const char* chars = jni->GetStringUTFChars(name, nullptr);
  std::string copy = chars;
  jni->ReleaseStringUTFChars(name, chars);
  return copy;
}

static jvmtiError create(const Key& key, jrawMonitorID* monitor) {
  jvmtiError code = key.first->CreateRawMonitor(key.second.c_str(), monitor);
  if (code == JVMTI_ERROR_NONE) {
    std::lock_guard<std::mutex> guard(lock);
    monitors[key] = *monitor;
  }
  return code;
}

static bool is_there(const Key& key, jrawMonitorID* monitor) {
  std::lock_guard<std::mutex> guard(lock);
  auto found = monitors.find(key);
  if (found == monitors.end()) {
    return false;
  }
  *monitor = found->second;
  return true;
}

static jvmtiError find(const Key& key, jrawMonitorID* monitor) {
  return is_there(key, monitor) ? JVMTI_ERROR_NONE : create(key, monitor);
}

/// What entering and leaving answer. An action that destroys the monitor has left it.
static std::pair<jvmtiError, jvmtiError> hold(JNIEnv* jni, const Key& key, jobject action) {
  jrawMonitorID monitor = nullptr;
  jvmtiError found = find(key, &monitor);
  jvmtiError entered = found == JVMTI_ERROR_NONE ? key.first->RawMonitorEnter(monitor) : found;
  if (entered != JVMTI_ERROR_NONE) {
    return {entered, entered};
  }
  jmethodID run = jni->GetMethodID(jni->FindClass("java/lang/Runnable"), "run", "()V");
  jni->CallVoidMethod(action, run);
  jvmtiError left = is_there(key, &monitor) ? key.first->RawMonitorExit(monitor) : entered;
  return {entered, left};
}

FUNCTION(createRawMonitor, jstring name) {
  jrawMonitorID monitor = nullptr;
  return answer(jni, create({environment(jni, self), chars(jni, name)}, &monitor));
}

FUNCTION(destroyRawMonitor, jstring name) {
  Key key = {environment(jni, self), chars(jni, name)};
  jrawMonitorID monitor = nullptr;
  jvmtiError code = find(key, &monitor);
  if (code == JVMTI_ERROR_NONE) {
    code = key.first->DestroyRawMonitor(monitor);
  }
  if (code == JVMTI_ERROR_NONE) {
    std::lock_guard<std::mutex> guard(lock);
    monitors.erase(key);
  }
  return answer(jni, code);
}

FUNCTION(rawMonitorEnter, jstring name, jobject action) {
  jvmtiError code = hold(jni, {environment(jni, self), chars(jni, name)}, action).first;
  return jni->ExceptionCheck() ? nullptr : answer(jni, code);
}

FUNCTION(rawMonitorExit, jstring name, jobject action) {
  jvmtiError code = hold(jni, {environment(jni, self), chars(jni, name)}, action).second;
  return jni->ExceptionCheck() ? nullptr : answer(jni, code);
}

FUNCTION(rawMonitorWait, jstring name, jlong millis) {
  Key key = {environment(jni, self), chars(jni, name)};
  jrawMonitorID monitor = nullptr;
  jvmtiError code = find(key, &monitor);
  return answer(jni, code ? code : key.first->RawMonitorWait(monitor, millis));
}

FUNCTION(rawMonitorNotify, jstring name) {
  Key key = {environment(jni, self), chars(jni, name)};
  jrawMonitorID monitor = nullptr;
  jvmtiError code = find(key, &monitor);
  return answer(jni, code ? code : key.first->RawMonitorNotify(monitor));
}

FUNCTION(rawMonitorNotifyAll, jstring name) {
  Key key = {environment(jni, self), chars(jni, name)};
  jrawMonitorID monitor = nullptr;
  jvmtiError code = find(key, &monitor);
  return answer(jni, code ? code : key.first->RawMonitorNotifyAll(monitor));
}
