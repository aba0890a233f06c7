// An agent whose callback of ThreadStart calls a static method of the class that it is armed with: also on threads that
// are not the program's.
#include <jvmti.h>
#include <string.h>

static jclass armed;
static jmethodID started;

static void JNICALL thread_start(jvmtiEnv* env, JNIEnv* jni, jthread thread) {
  (void)env;
  if (armed != NULL) {
    (*jni)->CallStaticVoidMethod(jni, armed, started, thread);
    (*jni)->ExceptionClear(jni);
  }
}

JNIEXPORT void JNICALL Java_io_jvmtools_lifecycle_StewardCallsTest_00024Callbacks_arm(JNIEnv* jni, jclass type) {
  started = (*jni)->GetStaticMethodID(jni, type, "started", "(Ljava/lang/Thread;)V");
  armed = (*jni)->NewGlobalRef(jni, type);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  (void)options;
  (void)reserved;
  jvmtiEnv* env = NULL;
  if ((*vm)->GetEnv(vm, (void**)&env, JVMTI_VERSION_1_2) != JNI_OK) {
    return JNI_ERR;
  }
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.ThreadStart = thread_start;
  (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
  (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
  return JNI_OK;
}
