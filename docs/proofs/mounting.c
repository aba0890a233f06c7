// JDK 22 to 25 crash when an agent asks something of a virtual thread that is mounted and unmounted meanwhile: in
// Continuation::is_continuation_mounted, vframeStream, or nmethod::scope_desc_at. Who asks counts itself and then looks
// whether the thread is being mounted; who is mounted says so and then looks at the counters; and neither has a fence
// between its two steps (start_VTMS_transition, VTMS_transition_disable_for_one). For several threads who asks looks at
// every carrier, which takes longer than it takes a processor to tell the others what it has written.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libmounting.so mounting.c
//   taskset -c 0,1 java -agentpath:$PWD/libmounting.so=stacks Mounting.java $PWD/libmounting.so
//
// 25.0.3, two x86_64 cores that do other things, too; of eight runs of ten seconds each crash, with the questions
// of those that end: times (GetThreadCpuTime) 8; one (GetThreadListStackTraces of a list of one) 7, 0.6 million; stacks
// (GetStackTrace) 6, 1.3 million; objects (GetOwnedMonitorInfo) 5, 1.4 million; states (GetThreadState) 2, 7.4 million;
// two (the same thread twice in a list) none, 0.7 million; suspended (GetOwnedMonitorInfo of a thread that is suspended)
// none, 2.6 million.
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *env;
static const char *mode = "";

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  mode = options == NULL ? "" : strdup(options);
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_get_owned_monitor_stack_depth_info = 1;
  wanted.can_get_owned_monitor_info = 1;
  wanted.can_suspend = 1;
  wanted.can_get_thread_cpu_time = 1;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) {
    return JNI_ERR;
  }
  return (*env)->AddCapabilities(env, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

static void stack(jthread thread) {
  jvmtiFrameInfo frames[64];
  jint length = 0;
  (*env)->GetStackTrace(env, thread, 0, 64, frames, &length);
}

static void list(jthread thread, jint length) {
  jthread threads[2] = {thread, thread};
  jvmtiStackInfo *stacks;
  if ((*env)->GetThreadListStackTraces(env, length, threads, 64, &stacks) == JVMTI_ERROR_NONE) {
    (*env)->Deallocate(env, (unsigned char *)stacks);
  }
}

static void state(jthread thread) {
  jint bits = 0;
  (*env)->GetThreadState(env, thread, &bits);
}

static void cpu_time(jthread thread) {
  jlong nanos = 0;
  (*env)->GetThreadCpuTime(env, thread, &nanos);
}

static void objects(JNIEnv *jni, jthread thread) {
  jint length = 0;
  jobject *owned = NULL;
  if ((*env)->GetOwnedMonitorInfo(env, thread, &length, &owned) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < length; i++) {
      (*jni)->DeleteLocalRef(jni, owned[i]);
    }
    (*env)->Deallocate(env, (unsigned char *)owned);
  }
}

static void depths(JNIEnv *jni, jthread thread) {
  jint length = 0;
  jvmtiMonitorStackDepthInfo *owned = NULL;
  if ((*env)->GetOwnedMonitorStackDepthInfo(env, thread, &length, &owned) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < length; i++) {
      (*jni)->DeleteLocalRef(jni, owned[i].monitor);
    }
    (*env)->Deallocate(env, (unsigned char *)owned);
  }
}

static void ask(JNIEnv *jni, jthread thread) {
  if (strcmp(mode, "objects") == 0) {
    objects(jni, thread);
  } else if (strcmp(mode, "stacks") == 0) {
    stack(thread);
  } else if (strcmp(mode, "one") == 0) {
    list(thread, 1);
  } else if (strcmp(mode, "two") == 0) {
    list(thread, 2);
  } else if (strcmp(mode, "states") == 0) {
    state(thread);
  } else if (strcmp(mode, "times") == 0) {
    cpu_time(thread);
  } else if (strcmp(mode, "suspended") != 0) {
    stack(thread);
    depths(jni, thread);
  } else if ((*env)->SuspendThread(env, thread) == JVMTI_ERROR_NONE) {
    objects(jni, thread);
    (*env)->ResumeThread(env, thread);
  }
}

JNIEXPORT void JNICALL Java_Mounting_ask(JNIEnv *jni, jclass type, jthread thread) {
  (void)type;
  ask(jni, thread);
}
