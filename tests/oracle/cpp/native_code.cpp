// What no Java code can set up: a monitor that native code has entered, and so many calls of JNI.
#include "oracle.h"

NATIVE(void, scenes_NativeCode_enter, jclass, jobject object) { jni->MonitorEnter(object); }

NATIVE(void, scenes_NativeCode_exit, jclass, jobject object) { jni->MonitorExit(object); }

NATIVE(void, scenes_NativeCode_getVersion, jclass, jint times) {
  while (times-- > 0) {
    jni->GetVersion();
  }
}

NATIVE(void, scenes_NativeCode_getSuperclass, jclass, jclass of, jint times) {
  while (times-- > 0) {
    jni->DeleteLocalRef(jni->GetSuperclass(of));
  }
}
