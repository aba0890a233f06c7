// The stem `method`.
#include "oracle.h"

using namespace oracle;

FUNCTION(getMethodName, jobject method) {
  char* name = nullptr;
  char* signature = nullptr;
  char* generic = nullptr;
  jvmtiError code = environment(jni, self)->GetMethodName(
      jni->FromReflectedMethod(method), &name, &signature, &generic);
  return member(jni, code, name, signature, generic);
}

FUNCTION(getMethodDeclaringClass, jobject method) {
  jclass type = nullptr;
  jvmtiError code = environment(jni, self)->GetMethodDeclaringClass(
      jni->FromReflectedMethod(method), &type);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  return text(jni, name(jni, type));
}

FUNCTION(getMethodModifiers, jobject method) {
  jint modifiers = 0;
  jvmtiError code = environment(jni, self)->GetMethodModifiers(
      jni->FromReflectedMethod(method), &modifiers);
  return answer(jni, code, std::to_string(modifiers));
}

FUNCTION(getMaxLocals, jobject method) {
  jint slots = 0;
  jvmtiError code =
      environment(jni, self)->GetMaxLocals(jni->FromReflectedMethod(method), &slots);
  return answer(jni, code, std::to_string(slots));
}

FUNCTION(getArgumentsSize, jobject method) {
  jint slots = 0;
  jvmtiError code =
      environment(jni, self)->GetArgumentsSize(jni->FromReflectedMethod(method), &slots);
  return answer(jni, code, std::to_string(slots));
}

FUNCTION(getLineNumberTable, jobject method) {
  jint count = 0;
  jvmtiLineNumberEntry* table = nullptr;
  jvmtiError code = environment(jni, self)->GetLineNumberTable(
      jni->FromReflectedMethod(method), &count, &table);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> lines;
  for (jint i = 0; i < count; i++) {
    lines.push_back(
        std::to_string(table[i].start_location) + ":" + std::to_string(table[i].line_number));
  }
  release(table);
  return text(jni, join(lines));
}

FUNCTION(getMethodLocation, jobject method) {
  jlocation start = 0;
  jlocation end = 0;
  jvmtiError code = environment(jni, self)->GetMethodLocation(
      jni->FromReflectedMethod(method), &start, &end);
  return answer(jni, code, std::to_string(start) + ".." + std::to_string(end));
}

FUNCTION(getBytecodes, jobject method) {
  jint count = 0;
  unsigned char* codes = nullptr;
  jvmtiError code = environment(jni, self)->GetBytecodes(
      jni->FromReflectedMethod(method), &count, &codes);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::vector<std::string> all;
  for (jint i = 0; i < count; i++) {
    all.push_back(std::to_string(codes[i]));
  }
  release(codes);
  return text(jni, join(all));
}

FUNCTION(isMethodNative, jobject method) {
  jboolean native = JNI_FALSE;
  jvmtiError code =
      environment(jni, self)->IsMethodNative(jni->FromReflectedMethod(method), &native);
  return answer(jni, code, truth(native));
}

FUNCTION(isMethodSynthetic, jobject method) {
  jboolean synthetic = JNI_FALSE;
  jvmtiError code =
      environment(jni, self)->IsMethodSynthetic(jni->FromReflectedMethod(method), &synthetic);
  return answer(jni, code, truth(synthetic));
}

FUNCTION(isMethodObsolete, jobject method) {
  jboolean obsolete = JNI_FALSE;
  jvmtiError code =
      environment(jni, self)->IsMethodObsolete(jni->FromReflectedMethod(method), &obsolete);
  return answer(jni, code, truth(obsolete));
}

/// Of the method of a frame.
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

FUNCTION(setNativeMethodPrefix, jstring prefix) {
  std::string text = characters(jni, prefix);
  return answer(jni, environment(jni, self)->SetNativeMethodPrefix(text.c_str()));
}

FUNCTION(setNativeMethodPrefixes, jobjectArray prefixes) {
  std::vector<std::string> texts;
  for (jsize i = 0; i < jni->GetArrayLength(prefixes); i++) {
    texts.push_back(
        characters(jni, static_cast<jstring>(jni->GetObjectArrayElement(prefixes, i))));
  }
  std::vector<char*> list;
  for (std::string& text : texts) {
    list.push_back(text.data());
  }
  jint count = static_cast<jint>(list.size());
  // A list of none is no null pointer.
  list.push_back(nullptr);
  return answer(jni, environment(jni, self)->SetNativeMethodPrefixes(count, list.data()));
}
