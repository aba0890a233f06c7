// The stem `general`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getPhase) {
  jvmtiPhase phase = {};
  jvmtiError code = environment(jni, self)->GetPhase(&phase);
  switch (phase) {
    case JVMTI_PHASE_ONLOAD:
      return answer(jni, code, "ONLOAD");
    case JVMTI_PHASE_PRIMORDIAL:
      return answer(jni, code, "PRIMORDIAL");
    case JVMTI_PHASE_START:
      return answer(jni, code, "START");
    case JVMTI_PHASE_LIVE:
      return answer(jni, code, "LIVE");
    case JVMTI_PHASE_DEAD:
      return answer(jni, code, "DEAD");
  }
  return answer(jni, code, "unknown");
}

FUNCTION(getVersionNumber) {
  jint version = 0;
  jvmtiError code = environment(jni, self)->GetVersionNumber(&version);
  auto part = [version](jint mask, int shift) { return std::to_string((version & mask) >> shift); };
  return answer(
      jni, code,
      part(JVMTI_VERSION_MASK_MAJOR, JVMTI_VERSION_SHIFT_MAJOR) + "." +
          part(JVMTI_VERSION_MASK_MINOR, JVMTI_VERSION_SHIFT_MINOR) + "." +
          part(JVMTI_VERSION_MASK_MICRO, JVMTI_VERSION_SHIFT_MICRO));
}

FUNCTION(getErrorName, jint number) {
  char* name = nullptr;
  jvmtiError code = environment(jni, self)->GetErrorName(static_cast<jvmtiError>(number), &name);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string copy = name;
  release(name);
  return text(jni, copy);
}

FUNCTION(getJLocationFormat) {
  jvmtiJlocationFormat format = {};
  jvmtiError code = environment(jni, self)->GetJLocationFormat(&format);
  return answer(
      jni, code,
      format == JVMTI_JLOCATION_JVMBCI     ? "JVMBCI"
      : format == JVMTI_JLOCATION_MACHINEPC ? "MACHINEPC"
                                            : "OTHER");
}

FUNCTION(setVerboseFlag, jstring flag, jboolean on) {
  const char* chars = jni->GetStringUTFChars(flag, nullptr);
  std::string wanted = chars;
  jni->ReleaseStringUTFChars(flag, chars);
  jvmtiVerboseFlag number = wanted == "GC"      ? JVMTI_VERBOSE_GC
                            : wanted == "CLASS" ? JVMTI_VERBOSE_CLASS
                            : wanted == "JNI"   ? JVMTI_VERBOSE_JNI
                                                : JVMTI_VERBOSE_OTHER;
  return answer(jni, environment(jni, self)->SetVerboseFlag(number, on));
}

FUNCTION(disposeEnvironment) {
  return answer(jni, environment(jni, self)->DisposeEnvironment());
}

FUNCTION(getEnvironmentLocalStorage) {
  void* data = nullptr;
  jvmtiError code = environment(jni, self)->GetEnvironmentLocalStorage(&data);
  return answer(jni, code, std::to_string(reinterpret_cast<jlong>(data)));
}

FUNCTION(setEnvironmentLocalStorage, jlong value) {
  return answer(
      jni, environment(jni, self)->SetEnvironmentLocalStorage(reinterpret_cast<void*>(value)));
}
