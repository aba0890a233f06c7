// What no Java code can set up: a monitor that native code has entered.
#include "oracle.h"

NATIVE(void, NativeCode_enter, jclass, jobject object) { jni->MonitorEnter(object); }

NATIVE(void, NativeCode_exit, jclass, jobject object) { jni->MonitorExit(object); }
