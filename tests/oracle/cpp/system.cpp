// The stem `system`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getSystemProperties) {
  jint count = 0;
  char** names = nullptr;
  jvmtiError code = environment(jni, self)->GetSystemProperties(&count, &names);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(names[i]);
    release(names[i]);
  }
  release(names);
  return text(jni, sorted(all));
}

FUNCTION(getSystemProperty, jstring property) {
  char* value = nullptr;
  jvmtiError code =
      environment(jni, self)->GetSystemProperty(characters(jni, property).c_str(), &value);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string copy = value;
  release(value);
  return text(jni, copy);
}

FUNCTION(addToBootstrapClassLoaderSearch, jstring segment) {
  std::string file = characters(jni, segment);
  return answer(jni, environment(jni, self)->AddToBootstrapClassLoaderSearch(file.c_str()));
}

FUNCTION(addToSystemClassLoaderSearch, jstring segment) {
  std::string file = characters(jni, segment);
  return answer(jni, environment(jni, self)->AddToSystemClassLoaderSearch(file.c_str()));
}
