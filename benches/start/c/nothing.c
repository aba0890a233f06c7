// An agent that does nothing, to compare agents with.
#include <jni.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)vm;
  (void)options;
  (void)reserved;
  return JNI_OK;
}
