// An agent that has allocations sampled, or not, while native threads attach, ask for an event of their own, and detach.
// Each of them then asks for memory that has been freed, and fills it; an event is turned on for all, and the agent looks
// into what it has asked for.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libattaching.so attaching.c -lpthread
//   javac --release 17 Attaching.java
//   java -agentpath:$PWD/libattaching.so -cp . Attaching sampled
//   java -agentpath:$PWD/libattaching.so -cp . Attaching plain
//
// Whoever attaches while allocations are sampled is given a state before there is its Thread, and when somebody names that
// one more (JDK-8319935, mended in 22). The JVM deletes one at its end, and writes through the other into what its memory was.
// Of 300 threads, in each of ten runs: 21.0.8, sampled: written into memory of 300; plain: of none. 17.0.15 and 25.0.3: of none.
#include <jvmti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64, SIZE = 256, FILL = 0x5a };

static JavaVM *vm;
static jvmtiEnv *env;

static void JNICALL sampled(jvmtiEnv *own, JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size) {
  (void)own, (void)jni, (void)thread, (void)object, (void)type, (void)size;
}

static void JNICALL exception(jvmtiEnv *own, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                              jobject thrown, jmethodID catches, jlocation where) {
  (void)own, (void)jni, (void)thread, (void)method, (void)location, (void)thrown, (void)catches, (void)where;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *own, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_generate_exception_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.SampledObjectAlloc = sampled;
  callbacks.Exception = exception;
  vm = own;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK || (*env)->AddCapabilities(env, &wanted)) {
    return JNI_ERR;
  }
  return (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
}

static void *come_and_go(void *blocks) {
  JNIEnv *jni;
  (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, NULL);
  jthread current;
  (*env)->GetCurrentThread(env, &current);
  (*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, current);
  (*vm)->DetachCurrentThread(vm);
  for (int i = 0; i < BLOCKS; i++) {
    ((unsigned char **)blocks)[i] = memset(malloc(SIZE), FILL, SIZE);
  }
  return NULL;
}

JNIEXPORT void JNICALL Java_Attaching_sample(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}

// Whether somebody has written into memory of the agent.
JNIEXPORT jboolean JNICALL Java_Attaching_isWritten(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  unsigned char *blocks[BLOCKS];
  pthread_t thread;
  pthread_create(&thread, NULL, come_and_go, blocks);
  pthread_join(thread, NULL);
  (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
  jboolean written = JNI_FALSE;
  for (int i = 0; i < BLOCKS; i++) {
    for (int at = 0; at < SIZE; at++) {
      written |= blocks[i][at] != FILL;
    }
  }
  (*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, NULL);
  // Nothing is freed: the JVM goes on to write there.
  return written;
}
