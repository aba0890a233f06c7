// An agent that goes through the heap before the JVM has told anybody else of what is dead.
#define _POSIX_C_SOURCE 199309L
#include <jvmti.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define NATIVE(name) JNIEXPORT void JNICALL Java_io_jvmtools_lifecycle_FreedObjectsTest_00024Leave_##name

enum { LONG = 30000, MOMENT = 100 };

static jvmtiEnv* env;
static atomic_int is_told;
static atomic_int is_going;

static void rest(void) {
  const struct timespec milli = {0, 1000000};
  nanosleep(&milli, NULL);
}

// No safepoint begins in here: the walk waits for one, and has it before other environments are told.
static void JNICALL object_free(jvmtiEnv* told, jlong tag) {
  (void)told, (void)tag;
  is_told = 1;
  for (int i = 0; i < LONG && !is_going; i++) {
    rest();
  }
  for (int i = 0; i < MOMENT; i++) {
    rest();
  }
}

NATIVE(tag)(JNIEnv* jni, jclass type, jobject object) {
  (void)type;
  if ((*env)->SetTag(env, object, 1) != JVMTI_ERROR_NONE) {
    (*jni)->FatalError(jni, "SetTag is refused");
  }
}

NATIVE(goThroughTheHeap)(JNIEnv* jni, jclass type) {
  (void)type;
  for (int i = 0; i < LONG && !is_told; i++) {
    rest();
  }
  is_going = 1;
  jvmtiHeapCallbacks none;
  memset(&none, 0, sizeof none);
  if (!is_told || (*env)->IterateThroughHeap(env, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &none, NULL) != JVMTI_ERROR_NONE) {
    (*jni)->FatalError(jni, "it is not told, or IterateThroughHeap is refused");
  }
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  (void)options, (void)reserved;
  if ((*vm)->GetEnv(vm, (void**)&env, JVMTI_VERSION_1_2) != JNI_OK) {
    return JNI_ERR;
  }
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_tag_objects = 1;
  wanted.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.ObjectFree = object_free;
  if ((*env)->AddCapabilities(env, &wanted) != JVMTI_ERROR_NONE ||
      (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
      (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL) != JVMTI_ERROR_NONE) {
    return JNI_ERR;
  }
  return JNI_OK;
}
