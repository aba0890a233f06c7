// The stem `breakpoint`.
#include "oracle.h"

using namespace oracle;

FUNCTION(setBreakpoint, jobject method, jlong location) {
  return answer(jni, environment(jni, self)->SetBreakpoint(jni->FromReflectedMethod(method), location));
}

FUNCTION(clearBreakpoint, jobject method, jlong location) {
  return answer(
      jni, environment(jni, self)->ClearBreakpoint(jni->FromReflectedMethod(method), location));
}

FUNCTION(setFieldAccessWatch, jobject field) {
  return answer(
      jni, environment(jni, self)->SetFieldAccessWatch(
               declaring(jni, field), jni->FromReflectedField(field)));
}

FUNCTION(clearFieldAccessWatch, jobject field) {
  return answer(
      jni, environment(jni, self)->ClearFieldAccessWatch(
               declaring(jni, field), jni->FromReflectedField(field)));
}

FUNCTION(setFieldModificationWatch, jobject field) {
  return answer(
      jni, environment(jni, self)->SetFieldModificationWatch(
               declaring(jni, field), jni->FromReflectedField(field)));
}

FUNCTION(clearFieldModificationWatch, jobject field) {
  return answer(
      jni, environment(jni, self)->ClearFieldModificationWatch(
               declaring(jni, field), jni->FromReflectedField(field)));
}
