// The stem `extension`.
#include "oracle.h"

using namespace oracle;

static std::string parameters(const jvmtiParamInfo* all, jint count) {
  std::vector<std::string> texts;
  for (jint i = 0; i < count; i++) {
    texts.push_back(
        std::string(all[i].name) + " " + std::to_string(all[i].kind) + " " +
        std::to_string(all[i].base_type) + " " + truth(all[i].null_ok));
  }
  return "(" + join(texts) + ")";
}

static void release_all(jvmtiParamInfo* all, jint count, char* id, char* description) {
  for (jint i = 0; i < count; i++) {
    release(all[i].name);
  }
  release(all);
  release(id);
  release(description);
}

FUNCTION(getExtensionFunctions) {
  jint count = 0;
  jvmtiExtensionFunctionInfo* functions = nullptr;
  jvmtiError code = environment(jni, self)->GetExtensionFunctions(&count, &functions);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    jvmtiExtensionFunctionInfo& one = functions[i];
    std::vector<std::string> errors;
    for (jint j = 0; j < one.error_count; j++) {
      errors.push_back(name(one.errors[j]));
    }
    all.push_back(
        std::string(one.id) + parameters(one.params, one.param_count) + one.short_description +
        " " + join(errors));
    release_all(one.params, one.param_count, one.id, one.short_description);
    release(one.errors);
  }
  release(functions);
  return text(jni, join(all, "; "));
}

FUNCTION(getExtensionEvents) {
  jint count = 0;
  jvmtiExtensionEventInfo* events = nullptr;
  jvmtiError code = environment(jni, self)->GetExtensionEvents(&count, &events);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    jvmtiExtensionEventInfo& one = events[i];
    all.push_back(
        std::to_string(one.extension_event_index) + " " + one.id +
        parameters(one.params, one.param_count) + one.short_description);
    release_all(one.params, one.param_count, one.id, one.short_description);
  }
  release(events);
  return text(jni, join(all, "; "));
}
