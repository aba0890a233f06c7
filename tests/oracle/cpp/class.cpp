// The stem `class`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getSourceDebugExtension, jclass type) {
  char* extension = nullptr;
  jvmtiError code = environment(jni, self)->GetSourceDebugExtension(type, &extension);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string copy = extension;
  release(extension);
  return text(jni, copy);
}
