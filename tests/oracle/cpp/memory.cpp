// The stem `memory`.
#include "oracle.h"

#include <cstring>

using namespace oracle;

FUNCTION(allocate, jint bytes) {
  unsigned char* memory = nullptr;
  jvmtiError code = environment(jni, self)->Allocate(bytes, &memory);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  if (memory != nullptr) {
    std::memset(memory, 7, bytes);
  }
  std::string last = bytes > 0 ? std::to_string(memory[bytes - 1]) : "none";
  release(memory);
  return text(jni, std::to_string(bytes) + " bytes, the last one " + last);
}
