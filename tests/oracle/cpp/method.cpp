// The stem `method`: of the method of a frame.
#include "oracle.h"

using namespace oracle;

FUNCTION(getLocalVariableTable, jthread thread, jint depth) {
  jvmtiEnv* env = environment(jni, self);
  jmethodID method = nullptr;
  jlocation location = 0;
  jvmtiLocalVariableEntry* table = nullptr;
  jint count = 0;
  jvmtiError code = env->GetFrameLocation(thread, depth, &method, &location);
  code = code ? code : env->GetLocalVariableTable(method, &count, &table);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    const jvmtiLocalVariableEntry& one = table[i];
    std::string generic = one.generic_signature ? one.generic_signature : "-";
    jlocation end = one.start_location + one.length;
    all.push_back(
        std::string(one.name) + " " + one.signature + " " + generic + " slot " +
        std::to_string(one.slot) + " from " + std::to_string(one.start_location) + " to " +
        std::to_string(end));
    release(one.name);
    release(one.signature);
    release(one.generic_signature);
  }
  release(table);
  return text(jni, join(all));
}
