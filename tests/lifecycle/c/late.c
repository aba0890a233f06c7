// An agent that keeps the JVM in the dead phase until the program has said what it sees there, or for half a minute.
#define _POSIX_C_SOURCE 199309L
#include <jvmti.h>
#include <stdatomic.h>
#include <time.h>

#define NATIVE(name) JNIEXPORT void JNICALL Java_io_jvmtools_lifecycle_DeadPhaseTest_00024Program_##name

enum { MILLIS = 30000 };

static atomic_int is_dead;
static atomic_int is_told;

static void rest(void) {
  const struct timespec milli = {0, 1000000};
  nanosleep(&milli, NULL);
}

NATIVE(awaitEnd)(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  while (!is_dead) {
    rest();
  }
}

NATIVE(tell)(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  is_told = 1;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)vm, (void)options, (void)reserved;
  return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
  (void)vm;
  is_dead = 1;
  for (int i = 0; i < MILLIS && !is_told; i++) {
    rest();
  }
}
