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

FUNCTION(getImplementedInterfaces, jclass type) {
  jint count = 0;
  jclass* interfaces = nullptr;
  jvmtiError code = environment(jni, self)->GetImplementedInterfaces(type, &count, &interfaces);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(name(jni, interfaces[i]));
  }
  release(interfaces);
  return text(jni, join(all));
}

FUNCTION(isModifiableClass, jclass type) {
  jboolean modifiable = JNI_FALSE;
  jvmtiError code = environment(jni, self)->IsModifiableClass(type, &modifiable);
  return answer(jni, code, truth(modifiable));
}

FUNCTION(getClassLoaderClasses, jobject loader) {
  jint count = 0;
  jclass* classes = nullptr;
  jvmtiError code = environment(jni, self)->GetClassLoaderClasses(loader, &count, &classes);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    std::string one = name(jni, classes[i]);
    // Arrays of arrays are there if anybody in the JVM has made one.
    if (one.rfind("[[", 0) != 0) {
      all.push_back(one);
    }
  }
  release(classes);
  return text(jni, sorted(all));
}
