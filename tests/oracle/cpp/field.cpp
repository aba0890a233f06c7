// The stem `field`.
#include "oracle.h"

using namespace oracle;

namespace {

/// A reflected field as the functions want it: with the class that declares it.
struct Declared {
  jclass type;
  jfieldID id;
};

Declared declared(JNIEnv* jni, jobject field) {
  return {declaring(jni, field), jni->FromReflectedField(field)};
}

}  // namespace

jclass oracle::declaring(JNIEnv* jni, jobject member) {
  jmethodID declaring = jni->GetMethodID(
      jni->GetObjectClass(member), "getDeclaringClass", "()Ljava/lang/Class;");
  return static_cast<jclass>(jni->CallObjectMethod(member, declaring));
}

FUNCTION(getFieldName, jobject field) {
  Declared of = declared(jni, field);
  char* name = nullptr;
  char* signature = nullptr;
  char* generic = nullptr;
  jvmtiError code =
      environment(jni, self)->GetFieldName(of.type, of.id, &name, &signature, &generic);
  return member(jni, code, name, signature, generic);
}

FUNCTION(getFieldDeclaringClass, jobject field) {
  Declared of = declared(jni, field);
  jclass type = nullptr;
  jvmtiError code = environment(jni, self)->GetFieldDeclaringClass(of.type, of.id, &type);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  return text(jni, name(jni, type));
}

FUNCTION(getFieldModifiers, jobject field) {
  Declared of = declared(jni, field);
  jint modifiers = 0;
  jvmtiError code = environment(jni, self)->GetFieldModifiers(of.type, of.id, &modifiers);
  return answer(jni, code, std::to_string(modifiers));
}

FUNCTION(isFieldSynthetic, jobject field) {
  Declared of = declared(jni, field);
  jboolean synthetic = JNI_FALSE;
  jvmtiError code = environment(jni, self)->IsFieldSynthetic(of.type, of.id, &synthetic);
  return answer(jni, code, truth(synthetic));
}
