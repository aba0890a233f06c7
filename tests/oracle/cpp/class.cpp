// The stem `class`.
#include "oracle.h"

#include <cstdint>

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

FUNCTION(getClassSignature, jclass type) {
  char* signature = nullptr;
  char* generic = nullptr;
  jvmtiError code = environment(jni, self)->GetClassSignature(type, &signature, &generic);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string both = signature;
  if (generic != nullptr) {
    both += std::string(" ") + generic;
  }
  release(signature);
  release(generic);
  return text(jni, both);
}

FUNCTION(getClassStatus, jclass type) {
  jint status = 0;
  jvmtiError code = environment(jni, self)->GetClassStatus(type, &status);
  return answer(jni, code, std::to_string(status));
}

FUNCTION(getSourceFileName, jclass type) {
  char* file = nullptr;
  jvmtiError code = environment(jni, self)->GetSourceFileName(type, &file);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string copy = file;
  release(file);
  return text(jni, copy);
}

FUNCTION(getClassModifiers, jclass type) {
  jint modifiers = 0;
  jvmtiError code = environment(jni, self)->GetClassModifiers(type, &modifiers);
  return answer(jni, code, std::to_string(modifiers));
}

FUNCTION(isInterface, jclass type) {
  jboolean interface = JNI_FALSE;
  jvmtiError code = environment(jni, self)->IsInterface(type, &interface);
  return answer(jni, code, truth(interface));
}

FUNCTION(isArrayClass, jclass type) {
  jboolean array = JNI_FALSE;
  jvmtiError code = environment(jni, self)->IsArrayClass(type, &array);
  return answer(jni, code, truth(array));
}

FUNCTION(getClassLoader, jclass type) {
  jobject loader = nullptr;
  jvmtiError code = environment(jni, self)->GetClassLoader(type, &loader);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  return text(jni, name(jni, loader));
}

FUNCTION(getClassVersionNumbers, jclass type) {
  jint minor = 0;
  jint major = 0;
  jvmtiError code = environment(jni, self)->GetClassVersionNumbers(type, &minor, &major);
  return answer(jni, code, std::to_string(major) + "." + std::to_string(minor));
}

FUNCTION(getLoadedClasses) {
  jint count = 0;
  jclass* classes = nullptr;
  jvmtiError code = environment(jni, self)->GetLoadedClasses(&count, &classes);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = names(jni, reinterpret_cast<jobject*>(classes), count);
  release(classes);
  return text(jni, all);
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

FUNCTION(getClassMethods, jclass type) {
  jint count = 0;
  jmethodID* methods = nullptr;
  jvmtiEnv* env = environment(jni, self);
  jvmtiError code = env->GetClassMethods(type, &count, &methods);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    char* name = nullptr;
    char* signature = nullptr;
    env->GetMethodName(methods[i], &name, &signature, nullptr);
    all.push_back(std::string(name) + signature);
    release(name);
    release(signature);
  }
  release(methods);
  return text(jni, sorted(all));
}

FUNCTION(getClassFields, jclass type) {
  jint count = 0;
  jfieldID* fields = nullptr;
  jvmtiEnv* env = environment(jni, self);
  jvmtiError code = env->GetClassFields(type, &count, &fields);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    char* name = nullptr;
    env->GetFieldName(type, fields[i], &name, nullptr, nullptr);
    all.push_back(name);
    release(name);
  }
  release(fields);
  return text(jni, join(all));
}

/// How many constants, and what becomes of all bytes, as Arrays.hashCode has it.
FUNCTION(getConstantPool, jclass type) {
  jint constants = 0;
  jint count = 0;
  unsigned char* bytes = nullptr;
  jvmtiError code = environment(jni, self)->GetConstantPool(type, &constants, &count, &bytes);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  uint32_t hash = 1;
  for (jint i = 0; i < count; i++) {
    hash = 31 * hash + static_cast<uint32_t>(static_cast<int8_t>(bytes[i]));
  }
  release(bytes);
  return text(
      jni, std::to_string(constants) + " constants, " + std::to_string(count) + " bytes, " +
               std::to_string(static_cast<int32_t>(hash)));
}

FUNCTION(redefineClasses, jclass type, jbyteArray classBytes) {
  jsize length = jni->GetArrayLength(classBytes);
  std::vector<unsigned char> bytes(length + 1);
  jni->GetByteArrayRegion(classBytes, 0, length, reinterpret_cast<jbyte*>(bytes.data()));
  jvmtiClassDefinition definition = {type, length, bytes.data()};
  return answer(jni, environment(jni, self)->RedefineClasses(1, &definition));
}

FUNCTION(retransformClasses, jclass type) {
  return answer(jni, environment(jni, self)->RetransformClasses(1, &type));
}
