// JDK 22 to 25 crash when an agent asks for the stack, or the owned monitors, of a virtual thread that is mounted and
// unmounted meanwhile: in Continuation::is_continuation_mounted, vframeStream, or nmethod::scope_desc_at. Who asks
// counts itself and then looks whether the thread is being mounted; who is mounted says so and then looks at the
// counters; and neither has a fence between its two steps (start_VTMS_transition, VTMS_transition_disable_for_one).
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libmounting.so mounting.c
//   taskset -c 0,1 java -agentpath:$PWD/libmounting.so Mounting.java $PWD/libmounting.so
//
// 25.0.3, two x86_64 cores: 3 of 24 runs, about one in ten million questions.
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *env;

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options;
  (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_get_owned_monitor_stack_depth_info = 1;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) {
    return JNI_ERR;
  }
  return (*env)->AddCapabilities(env, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

JNIEXPORT void JNICALL Java_Mounting_ask(JNIEnv *jni, jclass type, jobjectArray threads) {
  (void)type;
  jint count = (*jni)->GetArrayLength(jni, threads);
  for (jint i = 0; i < count; i++) {
    jthread thread = (*jni)->GetObjectArrayElement(jni, threads, i);
    jvmtiFrameInfo frames[64];
    jint length = 0;
    (*env)->GetStackTrace(env, thread, 0, 64, frames, &length);
    jvmtiMonitorStackDepthInfo *monitors = NULL;
    if ((*env)->GetOwnedMonitorStackDepthInfo(env, thread, &length, &monitors) == JVMTI_ERROR_NONE) {
      for (jint j = 0; j < length; j++) {
        (*jni)->DeleteLocalRef(jni, monitors[j].monitor);
      }
      (*env)->Deallocate(env, (unsigned char *)monitors);
    }
    (*jni)->DeleteLocalRef(jni, thread);
  }
}
